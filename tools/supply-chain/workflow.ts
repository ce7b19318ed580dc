/**
 * Checks the actions that a hosted CI runs: each is pinned to a commit, which can't be moved, with its release in a comment.
 * @param text a GitHub Actions workflow.
 * @returns what is wrong, one line each.
 */
export function checkWorkflow(text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const [, action] = /^\s*(?:-\s+)?uses:\s*(.*)$/.exec(line) ?? [];
    if (action === undefined || /^\.\//.test(action)) return [];
    const isPinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action);
    return isPinned ? [] : [`line ${index + 1}: pin ${action} as owner/action@COMMIT # vX.Y.Z, with all 40 digits`];
  });
}

import type {
  Month,
  NodeVersion,
  PeerUsageClient,
  ReportedChanges,
  ReportedTotals,
} from "@geolookup/shared/domain/usage.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgetedLine, CHANGES } from "@geolookup/shared/runtime/observability/log-budget.ts";

/** What is asked of usage, and whether it answers. */
export interface Questions {
  /** Whether the last question failed. */
  isDown(): boolean;
  /** Totals of keys; null when they cannot be told. */
  totals(month: Month, keyIds: readonly string[], position: number): Promise<ReportedTotals | null>;
  /** What changed; undefined when it cannot be told, null from a node that does not know the question. */
  changes(told: readonly NodeVersion[]): Promise<ReportedChanges | null | undefined>;
}

/** @param options.onAsked is told how each question ended. */
export function createQuestions(options: {
  totals: PeerUsageClient;
  onAsked: (outcome: "answered" | "failed") => void;
  log: Logger;
}): Questions {
  const { totals, onAsked, log } = options;
  const sayUp = budgetedLine(log, "info", "usage service available again", CHANGES);
  const message = "usage service unavailable; quotas fall back to the last known totals and own counts";
  const sayDown = budgetedLine(log, "warn", message, CHANGES);
  let isDown = false;
  const attempt = async <Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> => {
    try {
      const answer = await question();
      onAsked("answered");
      if (isDown) sayUp({});
      isDown = false;
      return answer;
    } catch (error) {
      onAsked("failed");
      if (!isDown) sayDown({ err: error });
      isDown = true;
      return undefined;
    }
  };
  return {
    isDown: () => isDown,
    totals: async (month, keyIds, position) => (await attempt(() => totals.ask(month, keyIds, position))) ?? null,
    changes: (told) => attempt(() => totals.changes(told)),
  };
}

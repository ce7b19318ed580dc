import { expect } from "chai";
import { CommandLineError } from "../command-line.ts";
import { type Command, parseCommandLine } from "./command-line.ts";

describe("the command line of keys", () => {
  const understood: [line: string[], command: Command][] = [
    [["help"], { name: "help" }],
    [["set-label", "key_1", "--", "--help"], { name: "set-label", keyId: "key_1", label: "--help" }],
    [["list"], { name: "list", filter: { search: "", kind: "", plan: "", status: "" } }],
    [
      ["list", "--search", "my shop", "--kind", "secret", "--plan=free", "--status", "revoked"],
      { name: "list", filter: { search: "my shop", kind: "secret", plan: "free", status: "revoked" } },
    ],
    [
      ["issue", "--kind", "secret", "--plan", "paid"],
      { name: "issue", kind: "secret", plan: "paid", label: "", origins: [] },
    ],
    [
      [
        "issue",
        "--origins",
        "https://a.example, https://b.example,",
        "--label=My shop",
        "--plan=free",
        "--kind=publishable",
      ],
      {
        name: "issue",
        kind: "publishable",
        plan: "free",
        label: "My shop",
        origins: ["https://a.example", "https://b.example"],
      },
    ],
    [
      ["issue", "--forward", "--kind=secret", "--plan=paid"],
      { name: "issue", kind: "secret", plan: "paid", label: "", origins: [], mayForward: true },
    ],
    [["show", "key_1"], { name: "show", keyId: "key_1" }],
    [["history", "key_1"], { name: "history", keyId: "key_1" }],
    [["revoke", "key_1"], { name: "revoke", keyId: "key_1", reason: "" }],
    [["revoke", "key_1", "--reason", "it leaked"], { name: "revoke", keyId: "key_1", reason: "it leaked" }],
    [["revoke", "key_1", "--reason=-"], { name: "revoke", keyId: "key_1", reason: "-" }],
    [["set-plan", "key_1", "paid"], { name: "set-plan", keyId: "key_1", plan: "paid" }],
    [
      ["set-origins", "key_1", "https://a.example"],
      { name: "set-origins", keyId: "key_1", origins: ["https://a.example"] },
    ],
    [["set-origins", "key_1", ""], { name: "set-origins", keyId: "key_1", origins: [] }],
    [["set-label", "key_1", "--", "-dash"], { name: "set-label", keyId: "key_1", label: "-dash" }],
    [["set-label", "key_1", ""], { name: "set-label", keyId: "key_1", label: "" }],
    [["plans"], { name: "plans", action: "show" }],
    [["plans", "check", "plans.json"], { name: "plans", action: "check", file: "plans.json" }],
    [["plans", "check", "-"], { name: "plans", action: "check", file: "-" }],
    [["plans", "confirm", "5f0c"], { name: "plans", action: "confirm", hash: "5f0c" }],
    [["usage", "key_1"], { name: "usage", keyId: "key_1", month: undefined }],
    [["usage", "key_1", "--month", "2026-01"], { name: "usage", keyId: "key_1", month: "2026-01" }],
  ];
  for (const [line, command] of understood)
    it(`reads ${line.join(" ")}`, () => {
      expect(parseCommandLine(line)).to.deep.equal({ command, json: false });
      const [name = "", ...rest] = line;
      expect(parseCommandLine([name, "--json", ...rest])).to.deep.equal({ command, json: true });
    });

  const refused: [line: string[], message: RegExp][] = [
    [[], /^no command given$/],
    [["lst"], /^unknown command "lst"$/],
    [["constructor"], /unknown command "constructor"/],
    [["--json"], /unknown command "--json"/],
    [["plans", "confirm"], /^plans takes nothing, check FILE or confirm HASH$/],
    [["plans", "show", "x"], /^plans takes nothing/],
    [["list", "x"], /^unexpected argument "x"$/],
    [["list", "--label", "free"], /^unknown option --label$/],
    [["list", "--kind", "public"], /^--kind must be publishable or secret$/],
    [["list", "--status", "gone"], /^--status must be active or revoked$/],
    [["list", "--json=yes"], /^--json takes no value$/],
    [["set-label", "key_1", "-d"], /^unknown option -d$/],
    [["revoke", "key_1", "--reason", "--json"], /^--reason needs a value/],
    [["issue"], /--kind publishable or --kind secret/],
    [["issue", "--kind", "public", "--plan", "free"], /--kind publishable or --kind secret/],
    [["issue", "--kind", "secret"], /--plan/],
    [["issue", "--kind", "secret", "--plan"], /^--plan needs a value/],
    [["issue", "secret", "--kind", "secret", "--plan", "free"], /unexpected argument "secret"/],
    [["show"], /show needs ID/],
    [["show", ""], /show needs ID/],
    [["show", "a", "b"], /unexpected argument "b"/],
    [["set-plan"], /needs ID and PLAN/],
    [["set-plan", "key_1"], /needs PLAN/],
    [["set-origins", "key_1"], /needs ORIGINS/],
    [["set-origins", "key_1", "https://a.example", "https://b.example"], /unexpected argument "https:\/\/b.example"/],
    [["set-label", "key_1", "My", "shop"], /unexpected argument "shop"/],
    [["revoke", "key_1", "--reson", "x"], /^unknown option --reson$/],
    [["usage", "key_1", "--month", "2026-13"], /YYYY-MM/],
    [["usage", "key_1", "--month", "01-2026"], /YYYY-MM/],
    [["usage", "key_1", "--month="], /YYYY-MM/],
  ];
  for (const [line, message] of refused)
    it(`refuses ${line.join(" ") || "nothing"}`, () => {
      expect(() => parseCommandLine(line)).to.throw(CommandLineError, message);
    });
});

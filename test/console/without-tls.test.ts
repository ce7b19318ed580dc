import { expect } from "chai";
import { logLines } from "../harness/child.ts";
import { startService } from "../harness/service.ts";
import { baseSettings } from "../harness/settings.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const READY_MS = 60_000;
const DOCS_URL = "http://docs.example.test";

describe("a console without TLS on a public host", function () {
  this.timeout(READY_MS * 2);

  for (const [service, settings] of [["standalone", {}]] as const)
    it(`logs a warning in ${service}`, async () => {
      const environment = { ...baseSettings(), DATA_DIR: tempFolder(), DOCS_URL, ...settings };
      const running = startService(service, environment);
      try {
        await running.ready();
        const warnings = logLines(running.stderr()).flatMap(({ msg }) =>
          /without TLS/.test(String(msg)) ? [msg] : [],
        );
        expect(warnings).to.have.length(1);
        expect(warnings[0]).to.include(`${DOCS_URL}/console`).and.include("CONSOLE=off");
      } finally {
        await running.stop();
      }
    });
});

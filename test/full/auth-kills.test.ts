import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { newRingText } from "../../services/auth/src/signing/signing-ring.ts";
import { type AuthApi, type AuthProcess, startAuth, TOKEN } from "../../services/auth/src/testing/auth-process.ts";
import { startNatsServer } from "../harness/nats-server.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const KILLS = 20;
const RECOVERY_MS = 30_000;

describe("changes while auth and NATS are killed", () => {
  it(`lose none that was acknowledged in ${KILLS} kills, and leave none half done once they are repeated`, async function () {
    this.timeout(300_000);
    await using opened = new AsyncDisposableStack();
    const nats = opened.use(await startNatsServer());
    const ring = join(tempFolder(), "signing-keys.json");
    writeFileSync(ring, newRingText(randomBytes), { mode: 0o600 });
    const environment = { ADMIN_TOKEN: TOKEN, NATS_URL: nats.url, SIGNING_KEYS_FILE: ring, DATA_DIR: tempFolder() };
    const start = async () => {
      const node: AuthProcess = opened.use(startAuth(environment));
      return { node, api: await node.ready() };
    };
    const nodes = await Promise.all([start(), start()]);
    const apis = () => nodes.map(({ api }) => api) as [AuthApi, AuthApi];
    /** Repeats a command at both nodes until one of them acknowledges it, as an operator would. */
    const acknowledged = async <Result>(command: (api: AuthApi) => Promise<Result>): Promise<Result> => {
      let attempt = 0;
      return waitFor("an acknowledgment", () => command(apis()[attempt++ % 2] as AuthApi), RECOVERY_MS);
    };

    /** What must hold in the end: checked at both nodes. */
    const promises: ((api: AuthApi) => Promise<void>)[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const id = `customer-${kill}`;
      const [rotated, prepared] = await Promise.all([
        acknowledged((api) => api.issue()),
        acknowledged((api) =>
          api.admin(KEY_ADMIN.PrepareKeys, {
            keys: Array.from({ length: 50 }, () => ({ kind: "SECRET", plan: "free" }) as const),
          }),
        ),
      ]);
      const bulk = prepared.keys.map((key) => ({ kind: "SECRET", plan: "free", ...key }) as const);
      const rotate = async (api: AuthApi) => {
        const { key } = await api.admin(KEY_ADMIN.RotateKey, { keyId: rotated.keyId, overlapSeconds: 3_600 });
        return key?.keyId ?? "";
      };
      const addCustomer = async (api: AuthApi) => {
        const { customers } = await api.admin(KEY_ADMIN.ListCustomers, { search: id });
        if (!customers.some((customer) => customer.id === id))
          await api.admin(KEY_ADMIN.AddCustomer, { id, plan: "free" });
        return api.admin(KEY_ADMIN.DisableCustomer, { id, reason: "test" });
      };
      const changes = Promise.allSettled([
        rotate(apis()[kill % 2] as AuthApi),
        addCustomer(apis()[(kill + 1) % 2] as AuthApi),
        apis()[0].admin(KEY_ADMIN.IssueKeys, { keys: bulk }),
      ]);
      const place = kill % 2;
      if (kill % 4 < 2) {
        await nats.kill();
        await nats.restart();
      } else {
        await nodes[place]?.node.kill("SIGKILL");
        nodes[place] = await start();
      }
      const [rotation, customer, issued] = await changes;
      const isRotated = async ({ admin }: AuthApi) =>
        (await admin(KEY_ADMIN.GetKey, { keyId: rotated.keyId })).rotatedTo;
      // A rotation whose response was lost took place or not: the key says so. A new one is only made if not.
      const successor =
        rotation?.status === "fulfilled"
          ? rotation.value
          : await acknowledged(async (api) => (await isRotated(api)) ?? (await rotate(api)));
      // Only what failed is repeated.
      if (customer?.status === "rejected") await acknowledged(addCustomer);
      if (issued?.status === "rejected") await acknowledged((api) => api.admin(KEY_ADMIN.IssueKeys, { keys: bulk }));
      promises.push(async ({ admin, authorize }) => {
        expect(await admin(KEY_ADMIN.GetKey, { keyId: rotated.keyId })).to.include({
          rotatedTo: successor,
          version: 2,
        });
        const next = await admin(KEY_ADMIN.GetKey, { keyId: successor });
        expect(next).to.include({ status: "active", rotatedFrom: rotated.keyId });
        expect(await admin(KEY_ADMIN.GetCustomer, { id })).to.include({ status: "disabled", version: 2 });
        const checks = [{ key: rotated.secret }, ...bulk.map(({ secret = "" }) => ({ key: secret }))];
        for (const { outcome } of (await authorize(...checks)).authorizations) expect(outcome).to.equal("GRANTED");
      });
    }
    for (const api of apis())
      for (const holds of promises)
        await waitFor("each node to have it", () => holds(api).then(() => true), RECOVERY_MS);
    const totals = await Promise.all(apis().map(({ admin }) => admin(KEY_ADMIN.ListKeys, { pageSize: 1 })));
    expect(totals[0]?.total)
      .to.be.at.least(KILLS * 52)
      .and.to.equal(totals[1]?.total);
  });
});

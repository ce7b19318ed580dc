import {
  ageInDays,
  type Changes,
  type Comparison,
  type DataReport,
  type Family,
  type ReportedDatabase,
} from "@geolookup/shared/domain/data-report.ts";
import type { Database } from "../databases/database.ts";
import { type AgreementCount, createAgreementCount, emptyAgreement } from "./agreement.ts";
import { createAnswers } from "./answers.ts";
import { createChangeCount } from "./change-count.ts";
import { countRecords } from "./count-records.ts";
import { createCoverageCount, joinFamilies } from "./coverage.ts";
import { addressesIn, BITS, databasesFor, FAMILIES, treeFor } from "./families.ts";
import { type JointTree, walkJointly } from "./joint-walk.ts";
import { NON_PUBLIC } from "./public-space.ts";
import { createTexts, type Texts } from "./texts.ts";

/** Databases in priority order, by family, and what callers get of them. */
type Side = Readonly<Record<Family, { trees: JointTree[]; answerAt: ReturnType<typeof createAnswers> }>>;

/**
 * Makes the report about databases. Takes seconds, and blocks the thread: run it in a process of its own.
 * @param options.loaded the databases in use, in priority order.
 * @param options.compared others to compare their places with.
 * @param options.before the databases of an older installed version.
 * @throws MmdbError if a database can't be reported on within the bounds on time and memory.
 */
export function makeReport(options: {
  loaded: readonly Database[];
  compared?: readonly Database[] | undefined;
  before?: { version: string; databases: readonly Database[] } | undefined;
  nowMs: number;
}): DataReport {
  const { loaded, compared, before, nowMs } = options;
  const texts = createTexts();
  const side = sideOf(loaded, texts);
  return {
    format: 1,
    createdAt: new Date(nowMs).toISOString(),
    databases: describeAll(loaded, nowMs),
    space: byFamily(spaceOf),
    coverage: coverageOf(side),
    comparison: compared
      ? { databases: describeAll(compared, nowMs), ...compare(side, sideOf(compared, texts), texts) }
      : null,
    changes: before
      ? {
          since: before.version,
          databases: describeAll(before.databases, nowMs),
          all: byFamily((family) => changesOf(family, sideOf(before.databases, texts), side)),
        }
      : null,
  };
}

const byFamily = <Result>(make: (family: Family) => Result): Record<Family, Result> => ({
  ipv4: make("ipv4"),
  ipv6: make("ipv6"),
});

function sideOf(all: readonly Database[], texts: Texts): Side {
  return byFamily((family) => {
    const databases = databasesFor(family, all);
    return {
      trees: databases.map((database) => treeFor(family, database)),
      answerAt: createAnswers(databases, texts),
    };
  });
}

/** The size of the public address space, in the family's unit. */
function spaceOf(family: Family): number {
  let addresses = 0;
  walkJointly(BITS[family], NON_PUBLIC[family], [], (_, prefixLength) => {
    addresses += addressesIn(family, prefixLength);
  });
  return addresses;
}

function coverageOf(side: Side): DataReport["coverage"] {
  const counted = byFamily((family) => {
    const { trees, answerAt } = side[family];
    const counts = createCoverageCount();
    walkJointly(BITS[family], NON_PUBLIC[family], trees, (records, prefixLength) => {
      const answer = answerAt(records, 0);
      if (answer !== null) counts.add(answer, addressesIn(family, prefixLength));
    });
    return counts.result();
  });
  return {
    all: byFamily((family) => counted[family].all),
    continents: joinFamilies(byFamily((family) => counted[family].continents)),
    countries: joinFamilies(byFamily((family) => counted[family].countries)),
  };
}

function compare(side: Side, other: Side, texts: Texts): Omit<Comparison, "databases"> {
  const counted = byFamily((family): ReturnType<AgreementCount["result"]> => {
    const { trees, answerAt } = side[family];
    const counts = createAgreementCount(texts);
    walkJointly(BITS[family], NON_PUBLIC[family], [...trees, ...other[family].trees], (records, prefixLength) => {
      const one = answerAt(records, 0);
      if (one === null) return;
      const another = other[family].answerAt(records, trees.length);
      if (another !== null) counts.add(one, another, addressesIn(family, prefixLength));
    });
    return counts.result();
  });
  const names = new Set(FAMILIES.flatMap((family) => [...counted[family].countries.keys()]));
  return {
    all: byFamily((family) => counted[family].all),
    countries: [...names]
      .map((name) => ({
        name,
        ...byFamily((family) => counted[family].countries.get(name) ?? emptyAgreement()),
      }))
      .sort((a, b) => b.ipv4.country.both[1] - a.ipv4.country.both[1] || String(a.name).localeCompare(String(b.name))),
  };
}

function changesOf(family: Family, before: Side, after: Side): Changes["all"]["ipv4"] {
  const old = before[family];
  const current = after[family];
  const counts = createChangeCount();
  walkJointly(BITS[family], NON_PUBLIC[family], [...old.trees, ...current.trees], (records, prefixLength) => {
    const was = old.answerAt(records, 0);
    const is = current.answerAt(records, old.trees.length);
    if (was !== null || is !== null) counts.add(was, is, addressesIn(family, prefixLength));
  });
  return counts.result();
}

function describeAll(databases: readonly Database[], nowMs: number): ReportedDatabase[] {
  return databases.map(({ info, tree, sha256 }) => ({
    name: info.name,
    databaseType: info.databaseType,
    sha256,
    buildUnixSeconds: info.buildUnixSeconds,
    ageDays: ageInDays(info.buildUnixSeconds, nowMs),
    ...countRecords(tree),
    attribution: info.attribution,
    attributionUrl: info.attributionUrl,
  }));
}

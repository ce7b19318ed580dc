import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { isFreePart, type Part, type Published, type Vendor } from "../sources/part.ts";
import { describeVersion, type Installed } from "../store/installed.ts";
import { partNames, type Source } from "../store/source.ts";

/** What to refetch if complete data is installed: "update" only parts with a newer version, "force" everything. */
export type Refetch = "no" | "update" | "force";

/**
 * Whether to keep the installed data without asking the vendor.
 * @returns the reason, for the operator; null to ask the vendor.
 * @throws StartError if the default data would replace data that an operator chose.
 */
export function reasonToKeep(installed: Installed | null, vendor: Vendor, refetch: Refetch): string | null {
  if (installed === null || refetch === "force") return null;
  const { stored, damaged, rolledBackFrom } = installed;
  const isVendors =
    partNames(stored.sources) === partNames(vendor.parts) || (vendor.isDefault && stored.sources.every(isFreePart));
  if (!isVendors && vendor.isDefault && (refetch === "update" || damaged.length > 0))
    throw new StartError(
      `the geo data in use is ${describeVersion(stored)}${damaged.length > 0 ? `, and ${damaged.join(", ")} of it is missing or damaged` : ""}; set MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY to download it again, or use --force to replace it with data from ${vendor.name}`,
    );
  if (refetch === "update" || damaged.length > 0) return null;
  if (rolledBackFrom !== null)
    return `the geo data in use is ${describeVersion(stored)}, rolled back from ${rolledBackFrom.version} (--update installs only newer data than that)`;
  if (isVendors) return `geo data is already installed: ${describeVersion(stored)} (--update downloads newer data)`;
  return vendor.isDefault
    ? `geo data is already installed: ${describeVersion(stored)}; without MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY it isn't updated`
    : null;
}

/** A part, its usable installed source, and its published version; null if there is none, or it wasn't requested. */
export interface Offer {
  part: Part;
  usable: Source | null;
  published: Published | null;
}

/**
 * Which published parts an operator has rolled back. They aren't installed automatically, since that would undo the rollback. The
 * parts of a version belong together, so nothing else is installed either.
 * @returns their names.
 */
export function rolledBackParts(installed: Installed | null, offers: readonly Offer[]): string[] {
  const refused = installed?.rolledBackFrom?.sources ?? [];
  const inUse = installed?.stored.sources ?? [];
  return offers
    .filter(({ part, published }) => {
      const isOffered = ({ name, integrity }: Source) => name === part.name && integrity === published?.integrity;
      return refused.some(isOffered) && !inUse.some(isOffered);
    })
    .map(({ part }) => part.name);
}

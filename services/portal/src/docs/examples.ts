import { FIELD_CATALOG } from "@geolookup/shared/domain/catalog.ts";
import { FIELDS, type GeoRecord } from "@geolookup/shared/domain/record.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";

/** The deployment's addresses, or examples if they are unknown. */
export function urlsOrExamples({ apiUrl, docsUrl }: Pick<DeploymentInfo, "apiUrl" | "docsUrl">): {
  apiUrl: string;
  docsUrl: string;
} {
  return { apiUrl: apiUrl ?? "https://geo.example.com", docsUrl: docsUrl ?? "https://docs.geo.example.com" };
}

/** The record shown on pages: complete, and outside the United States. */
export const EXAMPLE_RECORD = Object.fromEntries(
  FIELDS.map((name) => [name, FIELD_CATALOG[name].example]),
) as GeoRecord;

/** The record of an unknown address on a plan with the free fields. */
export const UNKNOWN_FREE_RECORD = { country: null, countryName: null, continent: null, partial: true };

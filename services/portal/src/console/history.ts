import type { EventView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { time } from "./format.ts";

/** Events with the operators who caused them, newest first. @param events oldest first; null if unavailable. @param textOf what happened */
export function historySection(
  events: readonly EventView[] | null,
  textOf: (event: EventView, before: EventView | undefined) => Html,
): Html {
  const items = (events ?? []).map(
    (event, index) =>
      html`<li><p>${textOf(event, events?.[index - 1])}</p><p class="sub">${time(event.at)} · by ${event.by}</p></li>\n`,
  );
  return html`<section aria-labelledby="history"><h2 id="history">History</h2>
${events === null ? html`<p>The history isn't available at the moment.</p>` : html`<ol class="history" reversed>\n${items.toReversed()}</ol>`}
</section>`;
}

/** What happened to a key. */
export function keyEventText({ type, data }: EventView): Html {
  const { plan, label, reason, kind, origins, mayForward, endsAt, expiresAt, customer, from } = data as Readonly<
    Record<string, unknown>
  >;
  const { successor } = data as { successor?: { keyId: string } };
  switch (type) {
    case "KeyIssued":
      return html`Issued as a ${String(kind)} key on the plan ${code(plan)}, ${label === "" ? "without a label" : html`labeled ${quoted(label)}`}, for ${originsText(origins)}${
        mayForward === true ? ", and can look up visitors" : ""
      }`;
    case "KeyPlanChanged":
      return html`Plan changed to ${code(plan)}`;
    case "KeyLabelChanged":
      return label === "" ? html`Label removed` : html`Label changed to ${quoted(label)}`;
    case "KeyOriginsChanged":
      return html`Origins changed to ${originsText(origins)}`;
    case "KeyRotated":
      return html`Rotated: replaced by ${code(successor?.keyId)}; ends on ${time(String(endsAt))}`;
    case "KeyExpiryChanged":
      return expiresAt === null ? html`Expiry removed` : html`Expires on ${time(String(expiresAt))}`;
    case "KeyDisabled":
      return html`Disabled${reason === "" ? "" : html`: ${quoted(reason)}`}`;
    case "KeyEnabled":
      return html`Enabled`;
    case "KeyCustomerChanged":
      return customer === null
        ? html`Removed from its customer; counts toward its own quota from ${String(from)} on`
        : html`Moved to the customer ${code(customer)}; counts toward its quota from ${String(from)} on`;
    case "KeyMetadataChanged":
      return html`Metadata changed`;
    case "KeyRevoked":
      return html`Revoked${reason === "" ? "" : html`: ${quoted(reason)}`}`;
    default:
      return html`${type}`;
  }
}

function code(value: unknown): Html {
  return html`<code>${String(value)}</code>`;
}

function quoted(value: unknown): Html {
  return html`<q>${String(value)}</q>`;
}

function originsText(origins: unknown): Html {
  const list = Array.isArray(origins) ? origins : [];
  if (list.length === 0) return html`any origin`;
  return html`${list.map((origin, index) => html`${index === 0 ? "" : ", "}${code(origin)}`)}`;
}

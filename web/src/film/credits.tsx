/** What to do without enough credits. */

import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { session } from "@/api/queries";
import { formatNumber, pluralize } from "@/lib/format";

const LINK = "font-medium underline underline-offset-3";

/** Whom to ask for credits. */
export function CreditsContact() {
  const { account, contact } = useSuspenseQuery(session).data;
  if (account?.isOperator)
    return (
      <Link to="/dashboard/operator/accounts" className={LINK}>
        Add credits
      </Link>
    );
  if (!contact) return "Ask the operator of this installation for more.";
  return (
    <>
      For more, contact{" "}
      <a href={contact.includes("@") && !contact.includes("/") ? `mailto:${contact}` : contact} className={LINK}>
        {contact.replace(/^https?:\/\//, "")}
      </a>
      .
    </>
  );
}

/** Why a render cannot start, and whom to ask. */
export function MissingCredits({ needed, available }: { needed: number; available: number }) {
  return (
    <p role="alert" className="text-[13px] text-danger">
      You need {pluralize(needed, "credit")} and have {formatNumber(available)}. <CreditsContact />
    </p>
  );
}

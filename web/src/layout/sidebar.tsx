/** The sidebar: navigation, balance and user menu. */

import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import type { Account } from "@/api/types";
import { formatNumber, humanize } from "@/lib/format";
import { Logo } from "@/ui/logo";
import { ACCOUNT_LINKS, MAIN_LINKS, OPERATOR_LINKS } from "./navigation";
import { UserMenu } from "./user-menu";

export function Brand() {
  return (
    <Link
      to="/dashboard"
      className="flex items-center gap-2.5 rounded-lg pr-2 text-[17px] font-semibold tracking-[-0.02em]"
    >
      <Logo className="size-6.5" /> Rondo
    </Link>
  );
}

export function Sidebar({ account }: { account: Account }) {
  return (
    <div className="flex h-full flex-col pt-4 pb-3">
      <div className="mb-4 px-5.5">
        <Brand />
      </div>
      {/* Where links are hidden below, the last one fades out. */}
      <nav
        aria-label="Dashboard"
        className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto mask-b-from-[calc(100%-24px)] px-3 pt-1 pb-6"
      >
        <Group links={MAIN_LINKS} />
        <Group title="Account" links={ACCOUNT_LINKS} />
        {account.isOperator && <Group title="Operator" links={OPERATOR_LINKS} />}
      </nav>
      <div className="px-3">
        <Balance account={account} />
        <UserMenu account={account} />
      </div>
    </div>
  );
}

const LINK =
  "flex h-9 items-center gap-2.5 rounded-lg px-2.5 font-medium text-muted transition-colors hover:bg-hover hover:text-foreground lg:h-8.5";

function Group({ title, links }: { title?: string; links: typeof MAIN_LINKS }) {
  return (
    <div>
      {title && <p className="mb-1.5 px-2.5 text-xs font-medium text-muted">{title}</p>}
      <ul className="flex flex-col gap-px">
        {links.map(({ to, label, icon: Icon, exact, isExternal }) => (
          <li key={to}>
            {isExternal ? (
              <a href={to} target="_blank" rel="noreferrer" className={LINK}>
                <Icon className="size-4 shrink-0" aria-hidden="true" /> {label}
                <ArrowUpRight className="ml-auto size-3.5 opacity-60" aria-hidden="true" />
              </a>
            ) : (
              <Link
                to={to}
                activeOptions={{ exact: exact ?? false, includeSearch: false }}
                className={LINK}
                activeProps={{
                  className: "bg-selected! text-foreground! shadow-card ring-1 ring-border [&_svg]:text-accent",
                }}
              >
                <Icon className="size-4 shrink-0" aria-hidden="true" /> {label}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Balance({ account }: { account: Account }) {
  return (
    <Link
      to="/dashboard/usage"
      className="mb-2 block rounded-xl border bg-surface px-3.5 py-3 shadow-card transition-colors hover:border-border-strong"
    >
      <span className="flex items-center justify-between text-xs text-muted">
        Credits <span>{account.plan === "none" ? "No plan" : humanize(account.plan)}</span>
      </span>
      <span className="nums mt-0.5 block text-xl font-semibold tracking-[-0.02em]">
        {formatNumber(account.credits)}
      </span>
    </Link>
  );
}

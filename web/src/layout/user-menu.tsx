/** The user menu: theme, settings, sign-out. */

import { useSuspenseQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { BookOpen, ChevronsUpDown, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import { dashboardApi } from "@/api/http";
import { queryClient, session } from "@/api/queries";
import type { Account } from "@/api/types";
import { setTheme, useTheme } from "@/lib/theme";
import { DropdownMenu, MenuItem, MenuRadioGroup } from "@/ui/dropdown-menu";
import { showError } from "@/ui/toast";

export function UserMenu({ account }: { account: Account }) {
  const router = useRouter();
  const theme = useTheme();
  const version = useSuspenseQuery(session).data.version;
  const signOut = async () => {
    try {
      await dashboardApi("post", "/session/sign-out");
      queryClient.clear();
      await router.navigate({ to: "/sign-in" });
    } catch (error) {
      showError(error);
    }
  };
  return (
    <DropdownMenu
      align="start"
      trigger={
        <button type="button" className="flex w-full items-center gap-2.5 rounded-lg p-2 text-left hover:bg-hover">
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-linear-to-br from-[#ff8a5c] to-[#e5488a] text-[13px] font-semibold text-[#2a0d08]"
          >
            {(account.name || account.email).trim().charAt(0).toUpperCase()}
          </span>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate font-medium">{account.name || "No name"}</span>
            <span className="block truncate text-xs text-muted">{account.email}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden="true" />
        </button>
      }
    >
      <div className="flex items-center justify-between gap-4 px-2.5 py-1.5">
        <span className="text-[13px] text-muted" aria-hidden="true">
          Theme
        </span>
        <MenuRadioGroup
          value={theme}
          onChange={setTheme}
          options={[
            ["system", "System", <Monitor key="s" />],
            ["light", "Light", <Sun key="l" />],
            ["dark", "Dark", <Moon key="d" />],
          ]}
        />
      </div>
      <div className="my-1 h-px bg-border" aria-hidden="true" />
      <MenuItem icon={<Settings />} onSelect={() => void router.navigate({ to: "/dashboard/settings" })}>
        Settings
      </MenuItem>
      <MenuItem icon={<BookOpen />} onSelect={() => window.location.assign("/docs")}>
        Documentation
      </MenuItem>
      <MenuItem icon={<LogOut />} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
      <p className="px-2.5 pt-1.5 pb-1 text-xs text-muted" aria-hidden="true">
        Rondo {version}
      </p>
    </DropdownMenu>
  );
}

/** The navigation links. */
import {
  Activity,
  BookOpen,
  Braces,
  ChartColumn,
  CloudUpload,
  Film,
  FolderOpen,
  House,
  Images,
  KeyRound,
  LayoutTemplate,
  type LucideIcon,
  Palette,
  Plug,
  ScrollText,
  Settings,
  Ticket,
  Users,
  Webhook,
} from "lucide-react";

interface NavigationLink {
  /** A page of the dashboard, or with `isExternal` another one of the service. */
  to: string;
  isExternal?: boolean;
  label: string;
  icon: LucideIcon;
  exact?: boolean;
}

export const MAIN_LINKS: NavigationLink[] = [
  { to: "/dashboard", label: "Overview", icon: House, exact: true },
  { to: "/dashboard/templates", label: "Templates", icon: LayoutTemplate },
  { to: "/dashboard/projects", label: "Projects", icon: FolderOpen },
  { to: "/dashboard/renders", label: "Renders", icon: Film },
  { to: "/dashboard/media", label: "Media", icon: Images },
  { to: "/dashboard/brand", label: "Brand kit", icon: Palette },
  { to: "/dashboard/playground", label: "Playground", icon: Braces },
  { to: "/docs", label: "Documentation", icon: BookOpen, isExternal: true },
];

export const ACCOUNT_LINKS: NavigationLink[] = [
  { to: "/dashboard/keys", label: "API keys", icon: KeyRound },
  { to: "/dashboard/webhooks", label: "Webhooks", icon: Webhook },
  { to: "/dashboard/destinations", label: "Destinations", icon: CloudUpload },
  { to: "/dashboard/apps", label: "Connected apps", icon: Plug },
  { to: "/dashboard/usage", label: "Usage", icon: ChartColumn },
  { to: "/dashboard/audit", label: "Audit log", icon: ScrollText },
  { to: "/dashboard/settings", label: "Settings", icon: Settings },
];

export const OPERATOR_LINKS: NavigationLink[] = [
  { to: "/dashboard/operator/accounts", label: "Accounts", icon: Users },
  { to: "/dashboard/operator/invites", label: "Invites", icon: Ticket },
  { to: "/dashboard/operator/queue", label: "Queue and workers", icon: Activity },
  { to: "/dashboard/operator/audit", label: "All audit logs", icon: ScrollText },
];

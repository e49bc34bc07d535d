/** What the service answers with. The public API's types come from its document. */
import type { components } from "./api.gen";

type Schemas = components["schemas"];
export type RenderJob = Schemas["RenderJob"];
export type Template = Schemas["TemplateItem"];
export type ProjectItem = Schemas["ProjectItem"];
export type Variable = Schemas["Variable"];
export type Webhook = Schemas["WebhookInfo"];
export type Transaction = Schemas["TransactionInfo"];
export type Warning = Schemas["PreviewWarning"];
export type Quote = Schemas["QuoteInfo"];
export type ResolvedFilm = Schemas["ResolvedFilm"];
export type EventName = Schemas["EventChoice"];

export type Status = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";

export interface Account {
  id: string;
  email: string;
  name: string;
  plan: string;
  credits: number;
  isOperator: boolean;
}

export interface Session {
  account: Account | null;
  signUp: "open" | "invite" | "closed";
  firstAccount: boolean;
  mail: boolean;
  version: string;
}

export interface SignedIn {
  account: Account;
}

export interface DeviceSession {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  address: string | null;
  userAgent: string | null;
  current: boolean;
}

export interface Key {
  id: string;
  prefix: string;
  name: string | null;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface NewKey {
  id: string;
  prefix: string;
  name: string | null;
  createdAt: string;
  apiKey: string;
}

export type RenderWithRequest = RenderJob & { request: Record<string, unknown> | null };

/** What the stream tells of a render. */
export interface RenderEvent {
  jobId: string;
  status: Status;
  progress: number;
  outputUrl?: string | null;
  error?: string | null;
  updatedAt: string;
}

export interface UsageDay {
  date: string;
  renders: number;
  seconds: number;
  credits: number;
  aiCredits: number;
}

export interface Attempt {
  number: number;
  at: string;
  status: number | null;
  error: string | null;
  ms: number;
  response: string | null;
}

export interface Delivery {
  id: string;
  event: EventName;
  state: string;
  url: string;
  attempts: Attempt[];
  body: unknown;
  createdAt: string;
  finishedAt: string | null;
}

export interface Project {
  id: string;
  name: string;
  description: string | null;
  composition: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  variables: Variable[];
}

export interface App {
  clientId: string;
  name: string;
  host: string | null;
  scopes: string[];
  createdAt: string;
  lastUsedAt: string | null;
}

export interface OperatorAccount extends Account {
  createdAt: string;
  renders: number;
  lastSeenAt: string | null;
}

export interface Page<T> {
  items: T[];
  pagination: { page: number; pages: number; total: number };
}

export interface Invite {
  id: string;
  email: string | null;
  url?: string;
  createdAt: string;
  expiresAt: string;
  usedBy: string | null;
}

export interface Queue {
  waiting: number;
  running: { jobId: string; accountEmail: string; progress: number; owner: string | null; startedAt: string | null; attempts: number }[];
  finishedLastHour: number;
  failedLastHour: number;
}

export interface Worker {
  owner: string;
  role: string;
  startedAt: string;
  lastSeenAt: string;
  running: number;
}

/** The body of POST /renders and POST /previews. */
export interface RenderRequest {
  inputProps?: unknown;
  templateId?: string;
  projectId?: string;
  replacements?: Record<string, unknown>;
  output?: { quality: string };
  projectName?: string;
  webhookUrl?: string;
}

export interface Preview {
  previewId: string;
  previewUrl: string;
  resolved: ResolvedFilm;
  quote: Quote;
  warnings: Warning[];
}

/** Projects as the service keeps them. The id of a preview names the throwaway copy of it. */

import { api, request } from "@/api/http";

export interface Author {
  kind: string;
  name: string;
}

export interface StoredFilm {
  id: string;
  name: string;
  description?: string | null;
  composition: unknown;
  /** Names this state. A change is sent with it, and fails if the film has another one by then. */
  etag: string;
  /** Of the copy of a preview: when it ends. */
  expiresAt?: string | null;
  changedBy?: Author | null;
  updatedAt: string;
}

/** An earlier state of a project. */
export interface Version {
  id: string;
  createdAt: string;
  /** What the change that made it is called; none for what was kept while someone edited. */
  name?: string | null;
  changedBy?: Author | null;
}

const address = (id: string, rest = "") => `/api/v1/projects/${encodeURIComponent(id)}${rest}`;

export const getFilm = (id: string) => request<StoredFilm>("GET", address(id));

/** Fails with 412 if the film is no longer in the state that `etag` names. */
export const putFilm = (
  id: string,
  etag: string,
  change: { name?: string; composition?: unknown },
  isLeaving = false,
) => request<StoredFilm>("PUT", address(id), change, undefined, { headers: { "if-match": `"${etag}"` }, isLeaving });

export const createFilm = (name: string, composition: unknown) =>
  request<StoredFilm>("POST", "/api/v1/projects", { name, composition });

/** A new project with the same film: also of the copy of a preview. */
export const duplicateFilm = (id: string, name?: string) =>
  request<StoredFilm>("POST", address(id, "/duplicate"), name ? { name } : {});

/** A new project with the film of a template. */
export async function createFromTemplate(template: { id: string; name: string }) {
  const { previewId } = await api("post", "/previews", { body: { templateId: template.id } });
  return duplicateFilm(previewId, template.name);
}

/** Newest first. */
export const listVersions = (id: string) => request<{ versions: Version[] }>("GET", address(id, "/versions?limit=100"));

export const getVersion = (id: string, versionId: string) =>
  request<Version & { composition: unknown }>("GET", address(id, `/versions/${encodeURIComponent(versionId)}`));

/** Keeps the film as the service has it now. */
export const keepVersion = (id: string, name: string) => request<Version>("POST", address(id, "/versions"), { name });

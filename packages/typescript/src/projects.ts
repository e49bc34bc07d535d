/** Projects: saved films, their edits and their versions. */

import { type Http, type RequestOptions, withMatch } from "./http.js";
import { type Page, type Pages, pagesOf } from "./pages.js";
import type {
  Edit,
  GetProjectQuery,
  Project,
  ProjectChange,
  ProjectItem,
  ProjectQuery,
  ProjectRequest,
  Variable,
  Version,
  VersionItem,
} from "./types.js";

/** Options of a change. */
export interface ChangeOptions extends RequestOptions {
  /** The `etag` of the project as it was read. If it has another one by now, nothing is changed and `ConflictError` is thrown. */
  ifMatch?: string;
}

const at = (projectId: string, rest = "") => `/projects/${encodeURIComponent(projectId)}${rest}`;

export class Projects {
  constructor(private readonly http: Http) {}

  /** Projects, the last changed first. */
  list(query: ProjectQuery = {}): Pages<ProjectItem, Page<ProjectItem>> {
    return pagesOf(this.http, "/projects", "projects", query);
  }

  create(request: ProjectRequest, options: RequestOptions = {}): Promise<Project> {
    return this.http.request("POST", "/projects", { body: request, ...options });
  }

  /** The project with its composition and its `etag`. */
  get(projectId: string, { fields, ...options }: GetProjectQuery & RequestOptions = {}): Promise<Project> {
    return this.http.request("GET", at(projectId), { query: { fields }, ...options });
  }

  /** Replaces what is given. */
  update(projectId: string, change: ProjectChange, options: ChangeOptions = {}): Promise<Project> {
    return this.http.request("PUT", at(projectId), { body: change, ...withMatch(options) });
  }

  async delete(projectId: string, options: RequestOptions = {}): Promise<void> {
    await this.http.request("DELETE", at(projectId), options);
  }

  /** A copy, under another name. */
  duplicate(projectId: string, name?: string, options: RequestOptions = {}): Promise<Project> {
    return this.http.request("POST", at(projectId, "/duplicate"), { body: { name }, ...options });
  }

  /** Applies small changes: all of them, or none. `name` keeps the result as a version. */
  applyEdits(
    projectId: string,
    edits: Edit[],
    { name, ...options }: ChangeOptions & { name?: string } = {},
  ): Promise<Project> {
    return this.http.request("POST", at(projectId, "/edits"), { body: { edits, name }, ...withMatch(options) });
  }

  /** Earlier states, newest first. */
  versions(projectId: string, query: { limit?: number } = {}): Pages<VersionItem, Page<VersionItem>> {
    return pagesOf(this.http, at(projectId, "/versions"), "versions", query);
  }

  /** Keeps the project as it is under a name. */
  createVersion(projectId: string, name: string, options: RequestOptions = {}): Promise<VersionItem> {
    return this.http.request("POST", at(projectId, "/versions"), { body: { name }, ...options });
  }

  getVersion(projectId: string, versionId: string, options: RequestOptions = {}): Promise<Version> {
    return this.http.request("GET", at(projectId, `/versions/${encodeURIComponent(versionId)}`), options);
  }

  /** Makes the project what it was. What it is now is kept as a version. */
  restoreVersion(projectId: string, versionId: string, options: ChangeOptions = {}): Promise<Project> {
    const path = at(projectId, `/versions/${encodeURIComponent(versionId)}/restore`);
    return this.http.request("POST", path, withMatch(options));
  }

  async variables(projectId: string): Promise<Variable[]> {
    return (await this.http.request<{ variables: Variable[] }>("GET", at(projectId, "/variables"))).variables;
  }
}

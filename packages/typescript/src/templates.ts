/** Templates: films with variables, made from projects. */

import type { Http, RequestOptions } from "./http.js";
import { type Page, type Pages, pagesOf } from "./pages.js";
import type { Template, TemplateChange, TemplateQuery, TemplateRequest, Variable } from "./types.js";

export class Templates {
  constructor(private readonly http: Http) {}

  list(query: TemplateQuery = {}): Pages<Template, Page<Template>> {
    return pagesOf(this.http, "/templates", "templates", query);
  }

  /** Makes a template of a project. */
  publish(request: TemplateRequest, options: RequestOptions = {}): Promise<Template> {
    return this.http.request("POST", "/templates", { body: request, ...options });
  }

  /** Changes a template: with a `projectId`, it gets the film that the project has now. */
  update(templateId: string, change: TemplateChange, options: RequestOptions = {}): Promise<Template> {
    return this.http.request("PUT", `/templates/${encodeURIComponent(templateId)}`, { body: change, ...options });
  }

  /** Takes a template back. Projects and renders made from it stay. */
  async unpublish(templateId: string, options: RequestOptions = {}): Promise<void> {
    await this.http.request("DELETE", `/templates/${encodeURIComponent(templateId)}`, options);
  }

  async variables(templateId: string): Promise<Variable[]> {
    const path = `/templates/${encodeURIComponent(templateId)}/variables`;
    return (await this.http.request<{ variables: Variable[] }>("GET", path)).variables;
  }
}

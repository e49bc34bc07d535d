/** One template: set its variables, preview and render it. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { useMemo } from "react";
import { isMissing } from "@/api/http";
import { templates, templateVariables } from "@/api/queries";
import type { Template } from "@/api/types";
import { createFromTemplate } from "@/editor/save/projects";
import { TemplateMenu } from "@/film/own-template";
import { RenderForm, RenderFormSkeleton } from "@/film/render-form";
import { variantsOf } from "@/film/template-card";
import { humanize } from "@/lib/format";
import { BackLink } from "@/ui/back-link";
import { Badge } from "@/ui/badge";
import { Button, buttonClass } from "@/ui/button";
import { ErrorState } from "@/ui/error-state";
import { Missing } from "@/ui/missing";
import { PageHeader } from "@/ui/page-header";
import { showError } from "@/ui/toast";

const route = getRouteApi("/home/dashboard/templates/$templateId");

export function TemplatePage() {
  const { templateId } = route.useParams();
  const navigate = useNavigate();
  const variables = useQuery(templateVariables(templateId));
  const all = useQuery(templates).data?.templates;
  const template = all?.find(({ id }) => id === templateId);
  const variants = useMemo(() => (template && all ? variantsOf(template, all) : []), [template, all]);
  const source = useMemo(() => ({ templateId }), [templateId]);
  return (
    <>
      <PageHeader
        back={<BackLink to="/dashboard/templates">Templates</BackLink>}
        title={template?.name ?? "Template"}
        description={template?.description ?? " "}
        badge={
          template && (
            <>
              <Badge>{humanize(template.category)}</Badge>
              {template.own && <Badge tone="accent">{template.visibility === "public" ? "Public" : "Private"}</Badge>}
            </>
          )
        }
        actions={
          template && (
            <>
              <EditCopy template={template} />
              {template.own && (
                <TemplateMenu
                  template={template}
                  className="size-9"
                  onUnpublished={() => void navigate({ to: "/dashboard/templates" })}
                />
              )}
            </>
          )
        }
      />
      {isMissing(variables.error) ? (
        <Missing what="template">
          <Link to="/dashboard/templates" className={buttonClass("primary")}>
            Browse templates
          </Link>
        </Missing>
      ) : variables.error ? (
        <ErrorState error={variables.error} retry={() => void variables.refetch()} />
      ) : variables.data ? (
        <RenderForm key={templateId} source={source} variables={variables.data.variables} variants={variants} />
      ) : (
        <RenderFormSkeleton />
      )}
    </>
  );
}

/** Opens a project of one's own with the film of the template. */
function EditCopy({ template }: { template: Template }) {
  const navigate = useNavigate();
  const copy = useMutation({
    mutationFn: () => createFromTemplate(template),
    onSuccess: ({ id }) => navigate({ to: "/edit/$projectId", params: { projectId: id } }),
    onError: showError,
  });
  return (
    <Button busy={copy.isPending} onClick={() => copy.mutate()} icon={<Pencil className="size-4" />}>
      Edit a copy
    </Button>
  );
}

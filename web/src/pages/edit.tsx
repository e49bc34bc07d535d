/** The editor of a project, or of the throwaway copy that the API's editUrl opens. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { project } from "@/api/queries";
import { Editor } from "@/editor/model/editor";
import { EditorView } from "@/editor/shell/editor";
import { ErrorState } from "@/ui/error-state";
import { Spinner } from "@/ui/spinner";

export function EditPage() {
  const { projectId } = useParams({ from: "/account/edit/$projectId" });
  const { data, error, refetch } = useQuery(project(projectId));
  const editor = useMemo(() => (data ? new Editor(data.composition) : null), [data]);
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  return editor ? (
    <EditorView editor={editor} />
  ) : (
    <div className="grid h-dvh place-items-center">
      <Spinner className="size-6" />
    </div>
  );
}

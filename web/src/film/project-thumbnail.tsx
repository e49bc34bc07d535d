/** The picture of a project: of its last render, otherwise painted in the browser. */

import type { Project } from "@/api/types";
import { useInView } from "@/lib/hooks";
import { cx } from "@/ui/cx";
import { filmOfProject, usePaintedPicture } from "./painted-picture";
import { Thumbnail } from "./thumbnail";

export function ProjectThumbnail({ project, className }: { project: Project; className?: string }) {
  const { ref, seen } = useInView<HTMLSpanElement>();
  const painted = usePaintedPicture({
    key: ["project", project.id, project.updatedAt],
    load: () => filmOfProject(project.id),
    isWanted: seen && !project.posterUrl,
    side: 640,
  });
  return (
    <span ref={ref} className="block">
      <Thumbnail src={project.posterUrl ?? painted ?? null} contain className={cx("bg-[#0e1016]!", className)} />
    </span>
  );
}

/** Destinations: buckets that films are copied to. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { CloudUpload, Plus } from "lucide-react";
import { useState } from "react";
import { api } from "@/api/http";
import { destinations, queryClient } from "@/api/queries";
import type { Destination, DestinationBody } from "@/api/types";
import { DestinationForm } from "@/film/destination-form";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { CopyableId } from "@/ui/copy";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { SkeletonRows } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showToast } from "@/ui/toast";

export function DestinationsPage() {
  const { data, error, refetch } = useQuery(destinations);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)} icon={<Plus className="size-4" />}>
      Add destination
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Destinations"
        description={
          <>
            Copy finished films to a bucket of your own.{" "}
            <a
              href="/docs/destinations"
              className="underline decoration-border-strong underline-offset-3 hover:decoration-current"
            >
              Set up permissions
            </a>
          </>
        }
        actions={create}
      />
      <Card label="Destinations">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={3} height="h-18" />
        ) : data.destinations.length === 0 ? (
          <EmptyState icon={<CloudUpload />} title="No destinations" action={create}>
            Add a bucket in S3, Google Cloud Storage or Azure. Renders that name it are copied there.
          </EmptyState>
        ) : (
          <ul>
            {data.destinations.map((destination) => (
              <DestinationRow key={destination.id} destination={destination} />
            ))}
          </ul>
        )}
      </Card>
      <DestinationDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function DestinationRow({ destination: { id, name, url, region, endpoint, createdAt } }: { destination: Destination }) {
  const remove = async () => {
    await api("delete", "/destinations/{destination}", { path: { destination: id } });
    await queryClient.invalidateQueries({ queryKey: ["destinations"] });
    showToast("Destination deleted.");
  };
  return (
    <li className="flex items-center gap-4 border-b px-5 py-3.5 last:border-b-0">
      <div className="min-w-0 flex-1">
        <CopyableId value={name} className="text-[13px]! font-medium text-foreground!" />
        <p className="text-[13px] break-all text-muted">{[url, region, endpoint].filter(Boolean).join(" · ")}</p>
      </div>
      <span className="hidden text-[13px] text-muted sm:block">
        Created <TimeAgo at={createdAt} />
      </span>
      <ConfirmDialog
        trigger={
          <Button variant="dangerGhost" size="sm" aria-label={`Delete ${name}`}>
            Delete
          </Button>
        }
        title={`Delete ${name}?`}
        confirmLabel="Delete destination"
        onConfirm={remove}
      >
        The credentials are deleted. What was copied stays in the bucket. Copies that are not made yet fail, and
        requests that name this destination are refused.
      </ConfirmDialog>
    </li>
  );
}

function DestinationDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = useMutation({
    mutationFn: (body: DestinationBody) => api("post", "/destinations", { body }),
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries({ queryKey: ["destinations"] });
      showToast(`Destination added: ${name}`);
      close();
    },
  });
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      wide
      title="Add destination"
      description="Give credentials that can write to the bucket and nothing else. They are stored encrypted and never shown. Rondo tries them when it copies the first film."
    >
      <DestinationForm
        busy={create.isPending}
        error={create.error}
        onSubmit={(body) => create.mutate(body)}
        onCancel={close}
      />
    </Dialog>
  );
}

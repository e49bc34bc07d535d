/** The region "Library": what can be added to a film, its captions and its variables. */

import { useQuery } from "@tanstack/react-query";
import { Braces, Camera, Captions, Images, LayoutTemplate, Shapes, Type } from "lucide-react";
import { Tabs } from "radix-ui";
import { type ComponentType, useEffect } from "react";
import { stockProviders } from "@/api/queries";
import { STRINGS } from "@/editor/strings/library";
import { useEditor } from "@/editor/use-editor";
import { stopPainter } from "@/film/painter";
import { CaptionsTab } from "./captions-tab";
import { ElementsTab } from "./elements-tab";
import { MediaTab } from "./media-tab";
import { library, OPTIONAL_TAB, showTab, TABS, type Tab, useLibrary } from "./state";
import { StockTab } from "./stock-tab";
import { TemplatesTab } from "./templates-tab";
import { TextTab } from "./text-tab";
import { useIncomingFiles } from "./use-incoming-files";
import { VariablesTab } from "./variables-tab";

const VIEWS: Record<Tab, [ComponentType<{ className?: string }>, ComponentType]> = {
  media: [Images, MediaTab],
  stock: [Camera, StockTab],
  text: [Type, TextTab],
  elements: [Shapes, ElementsTab],
  captions: [Captions, CaptionsTab],
  templates: [LayoutTemplate, TemplatesTab],
  variables: [Braces, VariablesTab],
};

export function Library() {
  const tab = useLibrary((state) => state.tab);
  const editor = useEditor();
  const hasStock = (useQuery(stockProviders).data?.providers.length ?? 0) > 0;
  const tabs = TABS.filter((name) => hasStock || name !== OPTIONAL_TAB);
  useIncomingFiles(editor);
  useEffect(
    () => () => {
      library.setState({ relinking: [] });
      stopPainter();
    },
    [],
  );
  return (
    <section aria-label={STRINGS.region} className="size-full overflow-hidden bg-surface">
      <Tabs.Root
        value={tab}
        orientation="vertical"
        onValueChange={(value) => showTab(value as Tab)}
        className="flex size-full min-h-0"
      >
        <Tabs.List
          aria-label={STRINGS.tabs}
          className="flex w-16 shrink-0 flex-col gap-0.5 overflow-y-auto border-r bg-inset px-1 py-2"
        >
          {tabs.map((name) => {
            const [Icon] = VIEWS[name];
            return (
              <Tabs.Trigger
                key={name}
                value={name}
                className="flex shrink-0 flex-col items-center gap-1 rounded-lg py-2 text-[10.5px] leading-none font-medium text-muted hover:text-foreground data-[state=active]:bg-selected data-[state=active]:text-foreground data-[state=active]:shadow-card data-[state=active]:ring-1 data-[state=active]:ring-border -outline-offset-2"
              >
                <Icon className="size-[18px]" aria-hidden="true" />
                {STRINGS.tab[name]}
              </Tabs.Trigger>
            );
          })}
        </Tabs.List>
        {tabs.map((name) => {
          const [, View] = VIEWS[name];
          return (
            <Tabs.Content key={name} value={name} tabIndex={-1} className="min-w-0 flex-1 overflow-hidden outline-none">
              <View />
            </Tabs.Content>
          );
        })}
      </Tabs.Root>
    </section>
  );
}

/** The dialogs around a film: render, publish, share. The shell shows them. */

export { PublishDialog } from "./publish-dialog";
export { RenderDialog } from "./render-dialog";
export { ShareDialog } from "./share-dialog";

/** Finds a JSON path such as `inputProps.overlays[3].styles` in a document. */
import { ensureSyntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";

/** inputProps.overlays[3].styles → inputProps, overlays, 3, styles. */
const segments = (path: string): (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? (name ?? "") : Number(index),
  );

function children(node: SyntaxNode, name?: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (!name || child.name === name) found.push(child);
  return found;
}

/** The range of the value at the path, or of its nearest existing parent. */
export function findPath(state: EditorState, path: string): { from: number; to: number } {
  const tree = ensureSyntaxTree(state, state.doc.length, 200);
  let node: SyntaxNode | null = tree?.topNode.firstChild ?? null;
  let mark = { from: 0, to: Math.min(1, state.doc.length) };
  for (const segment of segments(path)) {
    if (!node) break;
    if (typeof segment === "number") {
      const values = children(node).filter(({ name }) => !["[", "]", ",", "⚠"].includes(name));
      node = values[segment] ?? null;
      if (node) mark = { from: node.from, to: Math.min(node.to, state.doc.lineAt(node.from).to) };
    } else {
      const property: SyntaxNode | undefined = children(node, "Property").find((candidate) => {
        const name = candidate.getChild("PropertyName");
        return name !== null && state.sliceDoc(name.from, name.to) === JSON.stringify(segment);
      });
      if (property) mark = { from: property.from, to: Math.min(property.to, state.doc.lineAt(property.from).to) };
      node = property?.lastChild ?? null;
    }
  }
  return mark;
}

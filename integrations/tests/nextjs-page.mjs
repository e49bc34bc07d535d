// Renders the page of the Next.js example to HTML, as the server does.
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import Layout from "../nextjs/app/layout.tsx";
import Page from "../nextjs/app/page.tsx";

export const render = () => renderToString(createElement(Layout, null, createElement(Page)));

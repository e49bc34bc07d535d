/** The fields of the node. */
import type { INodeProperties } from "n8n-workflow";

const shownFor = (resource: string, operation?: string[], more: Record<string, Array<string | boolean>> = {}) => ({
  show: { resource: [resource], ...(operation ? { operation } : {}), ...more },
});

const resource: INodeProperties = {
  displayName: "Resource",
  name: "resource",
  type: "options",
  noDataExpression: true,
  options: [
    { name: "Render", value: "render" },
    { name: "Template", value: "template" },
    { name: "Upload", value: "upload" },
  ],
  default: "render",
};

const operations: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: shownFor("render"),
    options: [
      {
        name: "Cancel",
        value: "cancel",
        action: "Cancel a render",
        description: "Stop a render; its credits are returned",
      },
      {
        name: "Create",
        value: "create",
        action: "Create a render",
        description: "Render a template, a project or a composition",
      },
      { name: "Get", value: "get", action: "Get a render", description: "Get the status of a render" },
      { name: "Wait", value: "wait", action: "Wait for a render", description: "Wait until a render is done" },
    ],
    default: "create",
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: shownFor("template"),
    options: [
      { name: "Get Many", value: "getAll", action: "Get many templates" },
      { name: "Get Variables", value: "getVariables", action: "Get the variables of a template" },
    ],
    default: "getAll",
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: shownFor("upload"),
    options: [
      { name: "Create", value: "create", action: "Upload a file", description: "Upload a file for use in films" },
    ],
    default: "create",
  },
];

const template: INodeProperties = {
  displayName: "Template Name or ID",
  name: "templateId",
  type: "options",
  typeOptions: { loadOptionsMethod: "getTemplates" },
  default: "",
  required: true,
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

const create: INodeProperties[] = [
  {
    displayName: "Film",
    name: "source",
    type: "options",
    options: [
      { name: "Composition", value: "composition" },
      { name: "Project", value: "project" },
      { name: "Template", value: "template" },
    ],
    default: "template",
    displayOptions: shownFor("render", ["create"]),
  },
  { ...template, displayOptions: shownFor("render", ["create"], { source: ["template"] }) },
  {
    displayName: "Project ID",
    name: "projectId",
    type: "string",
    default: "",
    required: true,
    displayOptions: shownFor("render", ["create"], { source: ["project"] }),
  },
  {
    displayName: "Composition",
    name: "composition",
    type: "json",
    default: "{}",
    required: true,
    description: "The film as JSON",
    displayOptions: shownFor("render", ["create"], { source: ["composition"] }),
  },
  {
    displayName: "Variables",
    name: "variables",
    type: "fixedCollection",
    typeOptions: { multipleValues: true },
    default: {},
    placeholder: "Add Variable",
    displayOptions: shownFor("render", ["create"], { source: ["template"] }),
    options: [
      {
        displayName: "Values",
        name: "values",
        values: [
          {
            displayName: "Name or ID",
            name: "name",
            type: "options",
            typeOptions: { loadOptionsMethod: "getVariables", loadOptionsDependsOn: ["templateId"] },
            default: "",
            description:
              'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
          },
          { displayName: "Value", name: "value", type: "string", default: "" },
        ],
      },
    ],
  },
  {
    displayName: "Replacements",
    name: "replacements",
    type: "json",
    default: "{}",
    description: "Values of variables as JSON. They take precedence over the rows above.",
    displayOptions: shownFor("render", ["create"], { source: ["template", "project"] }),
  },
  {
    displayName: "Wait Until Done",
    name: "wait",
    type: "boolean",
    default: true,
    description: "Whether to wait until the film is complete",
    displayOptions: shownFor("render", ["create"]),
  },
];

/** Both for renders that this node creates and for others. */
const waiting = (show: INodeProperties["displayOptions"]): INodeProperties[] => [
  {
    displayName: "Maximum Wait (Minutes)",
    name: "maxWait",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 30,
    displayOptions: show,
  },
  {
    displayName: "Download Film",
    name: "download",
    type: "boolean",
    default: false,
    description: "Whether to add the film to the item, as binary property data",
    displayOptions: show,
  },
];

const options: INodeProperties = {
  displayName: "Options",
  name: "options",
  type: "collection",
  placeholder: "Add Option",
  default: {},
  displayOptions: shownFor("render", ["create"]),
  options: [
    {
      displayName: "Draft",
      name: "draft",
      type: "boolean",
      default: false,
      description: "Whether to render faster, at lower quality",
    },
    { displayName: "Height", name: "height", type: "number", default: 1080 },
    {
      displayName: "Metadata",
      name: "metadata",
      type: "json",
      default: "{}",
      description: "Kept with the render and sent in webhooks",
    },
    {
      displayName: "Output",
      name: "output",
      type: "json",
      default: '{ "format": "mp4" }',
      description: "The file to make: its format, codec, quality, scale and so on",
    },
    {
      displayName: "Webhook URL",
      name: "webhookUrl",
      type: "string",
      default: "",
      description: "Called once the render ends",
    },
    { displayName: "Width", name: "width", type: "number", default: 1920 },
  ],
};

export const properties: INodeProperties[] = [
  resource,
  ...operations,
  ...create,
  ...waiting(shownFor("render", ["create"], { wait: [true] })),
  options,
  {
    displayName: "Render ID",
    name: "jobId",
    type: "string",
    default: "",
    required: true,
    displayOptions: shownFor("render", ["get", "wait", "cancel"]),
  },
  ...waiting(shownFor("render", ["wait"])),
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    displayOptions: shownFor("template", ["getAll"]),
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: shownFor("template", ["getAll"], { returnAll: [false] }),
  },
  { ...template, displayOptions: shownFor("template", ["getVariables"]) },
  {
    displayName: "Input Binary Field",
    name: "binaryProperty",
    type: "string",
    default: "data",
    required: true,
    hint: "The name of the input binary field containing the file to upload",
    displayOptions: shownFor("upload", ["create"]),
  },
];

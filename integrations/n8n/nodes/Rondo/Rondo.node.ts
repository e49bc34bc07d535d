/** The node: its fields, and what each operation does with an item. */
import {
  type IDataObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeOperationError,
} from "n8n-workflow";
import { properties } from "./properties";
import { renders } from "./renders";
import { call, list } from "./service";
import { uploads } from "./uploads";

type Operation = (context: IExecuteFunctions, item: number) => Promise<INodeExecutionData[]>;

const OPERATIONS: Record<string, Operation> = {
  ...renders,
  ...uploads,
  "template.getAll": async (context, item) => {
    const isAll = context.getNodeParameter("returnAll", item) as boolean;
    const limit = isAll ? Infinity : (context.getNodeParameter("limit", item) as number);
    return (await list(context, "/templates", "templates", limit)).map((json) => ({ json }));
  },
  "template.getVariables": async (context, item) => {
    const templateId = encodeURIComponent(context.getNodeParameter("templateId", item) as string);
    const { variables } = await call(context, "GET", `/templates/${templateId}/variables`);
    return (variables as IDataObject[]).map((json) => ({ json }));
  },
};

export class Rondo implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Rondo",
    name: "rondo",
    icon: "file:rondo.svg",
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Render videos from templates and compositions",
    defaults: { name: "Rondo" },
    inputs: ["main"],
    outputs: ["main"],
    usableAsTool: true,
    credentials: [{ name: "rondoApi", required: true }],
    properties,
  };

  methods = {
    loadOptions: {
      async getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const templates = await list(this, "/templates", "templates");
        return templates.map(({ id, name, description }) => ({
          name: name as string,
          value: id as string,
          description: description as string,
        }));
      },
      async getVariables(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const templateId = this.getCurrentNodeParameter("templateId");
        if (!templateId) return [];
        const { variables } = await call(this, "GET", `/templates/${encodeURIComponent(String(templateId))}/variables`);
        return (variables as IDataObject[]).map(({ name, label, help }) => ({
          name: label as string,
          value: name as string,
          description: help as string,
        }));
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const made: INodeExecutionData[] = [];
    for (let item = 0; item < this.getInputData().length; item++) {
      const name = `${this.getNodeParameter("resource", item)}.${this.getNodeParameter("operation", item)}`;
      const operation = OPERATIONS[name];
      try {
        if (!operation)
          throw new NodeOperationError(this.getNode(), `The operation ${name} is not known.`, { itemIndex: item });
        for (const one of await operation(this, item)) made.push({ ...one, pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        made.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [made];
  }
}

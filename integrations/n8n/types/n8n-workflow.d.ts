/** The part of n8n-workflow that the node uses, so that it compiles without that package. The package itself comes first if it is installed. */

export interface IDataObject {
  [key: string]: unknown;
}
export type Icon = `file:${string}`;

export interface INodePropertyOptions {
  name: string;
  value: string | number | boolean;
  description?: string;
  action?: string;
}
export interface INodePropertyCollection {
  displayName: string;
  name: string;
  values: INodeProperties[];
}
export interface INodeProperties {
  displayName: string;
  name: string;
  type: "string" | "number" | "boolean" | "options" | "collection" | "fixedCollection" | "json";
  default: string | number | boolean | object;
  description?: string;
  placeholder?: string;
  hint?: string;
  required?: boolean;
  noDataExpression?: boolean;
  typeOptions?: {
    password?: boolean;
    multipleValues?: boolean;
    minValue?: number;
    maxValue?: number;
    loadOptionsMethod?: string;
    loadOptionsDependsOn?: string[];
  };
  options?: Array<INodePropertyOptions | INodeProperties | INodePropertyCollection>;
  displayOptions?: { show?: Record<string, Array<string | number | boolean>> };
}
export interface IAuthenticateGeneric {
  type: "generic";
  properties: { headers?: Record<string, string> };
}
export interface ICredentialTestRequest {
  request: { baseURL?: string; url: string };
}
export interface ICredentialType {
  name: string;
  displayName: string;
  icon?: Icon;
  properties: INodeProperties[];
  authenticate?: IAuthenticateGeneric;
  test?: ICredentialTestRequest;
}

export type IHttpRequestMethods = "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
export interface IHttpRequestOptions {
  url: string;
  method?: IHttpRequestMethods;
  headers?: Record<string, string>;
  qs?: IDataObject;
  body?: IDataObject | Buffer;
  json?: boolean;
  encoding?: "arraybuffer";
}
export interface IBinaryData {
  data: string;
  mimeType: string;
  fileName?: string;
}
export interface INodeExecutionData {
  json: IDataObject;
  binary?: Record<string, IBinaryData>;
  pairedItem?: { item: number };
}
export interface INode {
  id: string;
  name: string;
}
interface RequestHelpers {
  // biome-ignore lint/suspicious/noExplicitAny: as n8n-workflow declares it
  httpRequest(options: IHttpRequestOptions): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as n8n-workflow declares it
  httpRequestWithAuthentication(this: object, credentials: string, options: IHttpRequestOptions): Promise<any>;
}
interface Functions {
  getCredentials(type: string): Promise<IDataObject>;
  getNode(): INode;
}
export interface ILoadOptionsFunctions extends Functions {
  getCurrentNodeParameter(name: string): unknown;
  helpers: RequestHelpers;
}
export interface IExecuteFunctions extends Functions {
  getInputData(): INodeExecutionData[];
  getNodeParameter(name: string, item: number, fallback?: unknown): unknown;
  continueOnFail(): boolean;
  helpers: RequestHelpers & {
    assertBinaryData(item: number, property: string): IBinaryData;
    getBinaryDataBuffer(item: number, property: string): Promise<Buffer>;
    prepareBinaryData(data: Buffer, fileName?: string, mimeType?: string): Promise<IBinaryData>;
  };
}
export interface INodeTypeDescription {
  displayName: string;
  name: string;
  icon?: Icon;
  group: Array<"input" | "output" | "transform" | "trigger">;
  version: number;
  subtitle?: string;
  description: string;
  defaults: { name: string };
  inputs: Array<"main">;
  outputs: Array<"main">;
  usableAsTool?: true;
  credentials?: Array<{ name: string; required?: boolean }>;
  properties: INodeProperties[];
}
export interface INodeType {
  description: INodeTypeDescription;
  methods?: {
    loadOptions?: Record<string, (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>>;
  };
  execute?(this: IExecuteFunctions): Promise<INodeExecutionData[][]>;
}
export class NodeOperationError extends Error {
  constructor(node: INode, error: Error | string, options?: { itemIndex?: number; description?: string });
}

/** The address of a service and an API key. */
import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from "n8n-workflow";

export class RondoApi implements ICredentialType {
  name = "rondoApi";
  displayName = "Rondo API";
  icon = "file:rondo.svg" as const;
  properties: INodeProperties[] = [
    {
      displayName: "URL",
      name: "url",
      type: "string",
      default: "http://127.0.0.1:8080",
      description: "Address of the Rondo service",
      required: true,
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
    },
  ];
  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  };
  test: ICredentialTestRequest = {
    request: { baseURL: "={{$credentials.url}}", url: "/api/v1/account" },
  };
}

/** The schemas of the format, by name. The build takes them out of the API's description. */
declare module "virtual:format" {
  const schemas: Record<string, import("./schema").Schema>;
  export default schemas;
}

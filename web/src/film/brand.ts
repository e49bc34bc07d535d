/** Which values of a brand kit fit the variables of a template. */
import type { Brand, Variable } from "@/api/types";
import type { Values } from "./variables-form";

export const isColor = ({ overlayType }: Variable) => overlayType === "color";
export const isFont = ({ overlayType }: Variable) => overlayType === "font";
/** An image variable that shows a logo, by its name. */
export const isLogo = ({ overlayType, name }: Variable) => overlayType === "image" && /logo|brand_?mark/i.test(name);

/** The values of a brand for the variables they match: the logo, the fonts, and colours by name, then in order. */
export function brandValues(brand: Brand, variables: Variable[]): Values {
  const values: Values = {};
  if (brand.logoUrl) for (const variable of variables.filter(isLogo)) values[variable.name] = brand.logoUrl;
  for (const { name } of variables.filter(isFont)) {
    const family = /body|text|small/i.test(name) ? brand.fonts.body : brand.fonts.heading;
    if (family) values[name] = family;
  }
  const plain = (name: string) => name.toLowerCase().replaceAll(/colou?r|[^a-z0-9]/g, "");
  const free = [...brand.colors];
  const unnamed = variables.filter(isColor).filter((variable) => {
    const at = free.findIndex(({ name }) => plain(name) === plain(variable.name));
    const [match] = at < 0 ? [] : free.splice(at, 1);
    if (match) values[variable.name] = match.value;
    return !match;
  });
  for (const [index, variable] of unnamed.entries()) {
    const color = free[index];
    if (color) values[variable.name] = color.value;
  }
  return values;
}

/** How types of clips look: an icon and a hue, from which the style sheet makes all colours. */

import { Captions, Film, Image, type LucideIcon, Music, Shapes, Smile, Sparkles, Type } from "lucide-react";

interface ClipType {
  icon: LucideIcon;
  hue: number;
}

const TYPES: Record<string, ClipType> = {
  text: { icon: Type, hue: 275 },
  image: { icon: Image, hue: 150 },
  video: { icon: Film, hue: 235 },
  sound: { icon: Music, hue: 190 },
  shape: { icon: Shapes, hue: 345 },
  sticker: { icon: Smile, hue: 85 },
  caption: { icon: Captions, hue: 55 },
  effect: { icon: Sparkles, hue: 310 },
};

export const clipType = (type: string): ClipType => TYPES[type] ?? { icon: Shapes, hue: 260 };

/** A sound with its waveform. */

import { useQuery } from "@tanstack/react-query";
import { Music } from "lucide-react";
import { useRef, useState } from "react";

const BARS = 120;
/** Larger files are not decoded for their waveform. */
const MOST_BYTES = 40_000_000;

/** The peaks of a sound, 0 to 1. */
async function readPeaks(src: string, signal: AbortSignal): Promise<number[]> {
  const response = await fetch(src, { signal });
  if (!response.ok) throw new Error("The file cannot be read.");
  const context = new OfflineAudioContext(1, 1, 44_100);
  const sound = await context.decodeAudioData(await response.arrayBuffer());
  const samples = sound.getChannelData(0);
  const step = Math.max(1, Math.floor(samples.length / BARS));
  const peaks = Array.from({ length: BARS }, (_, bar) => {
    let peak = 0;
    for (let index = bar * step; index < Math.min((bar + 1) * step, samples.length); index++)
      peak = Math.max(peak, Math.abs(samples[index] ?? 0));
    return peak;
  });
  const loudest = Math.max(...peaks, 0.01);
  return peaks.map((peak) => peak / loudest);
}

/** The peaks of a sound, once they are known; `most` is the size of the largest file to decode. */
export function usePeaks(src: string, size: number, most = MOST_BYTES): number[] | undefined {
  return useQuery({
    queryKey: ["peaks", src],
    queryFn: ({ signal }) => readPeaks(src, signal),
    enabled: size <= most,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  }).data;
}

export function SoundPlayer({ src, size, label }: { src: string; size: number; label: string }) {
  const player = useRef<HTMLAudioElement>(null);
  const [played, setPlayed] = useState(0);
  const peaks = usePeaks(src, size);
  const seek = (position: number) => {
    const sound = player.current;
    if (sound && Number.isFinite(sound.duration)) sound.currentTime = position * sound.duration;
  };
  return (
    <div className="flex w-full flex-col gap-6 p-6 sm:p-8">
      {peaks ? (
        // The controls below seek with the keyboard.
        <div
          role="img"
          aria-label={`Waveform of ${label}`}
          className="h-36 w-full cursor-pointer"
          onPointerDown={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            seek((event.clientX - box.left) / box.width);
          }}
        >
          <svg viewBox={`0 0 ${BARS * 4} 100`} preserveAspectRatio="none" className="size-full" aria-hidden="true">
            {peaks.map((peak, bar) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change their order
                key={bar}
                x={bar * 4 + 0.5}
                width={3}
                rx={1.5}
                y={50 - Math.max(peak, 0.02) * 48}
                height={Math.max(peak, 0.02) * 96}
                className={bar / BARS < played ? "fill-accent-fill" : "fill-border-strong"}
              />
            ))}
          </svg>
        </div>
      ) : (
        <Music className="mx-auto my-8 size-12 text-subtle" aria-hidden="true" />
      )}
      <audio
        ref={player}
        src={src}
        controls
        preload="metadata"
        aria-label={`Audio: ${label}`}
        className="w-full"
        onTimeUpdate={(event) => {
          const { currentTime, duration } = event.currentTarget;
          setPlayed(duration > 0 ? currentTime / duration : 0);
        }}
      />
    </div>
  );
}

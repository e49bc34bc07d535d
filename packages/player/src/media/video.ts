/** Frame-accurate decoding of a picture track: the source frame shown at a given time. */

import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from "mediabunny";
import type { PlanesFacts } from "../protocol";
import { type Colour, colourOf } from "./colour";
import { isIdr, isUnreferenced, lengthSize } from "./h264";
import { copyPlanes } from "./planes";

/** Times are given in whole microseconds, so a frame counts as due this much early. */
const TOLERANCE = 0.000_001;
/** Packets among which the first shown picture is. */
const PICTURES_AHEAD = 40;
/** Packets inside the decoder at a time, and those before the frame asked for, whose pictures are not kept. */
const QUEUE = 6;
const QUEUE_BEFORE = 16;
/**
 * Those after it while someone waits for it: each one delays it. Most decoders need so many before they give a frame. Where one
 * needs more, it does nothing for so many milliseconds.
 */
const NEEDED = 3;
const STUCK = 40;
/** Packets after the frame asked for among which a key frame is looked for, before which the decoder can be flushed. */
const KEY_AHEAD = 4;
/** Codecs whose key frames start a closed GOP. In H.264 only IDR pictures do. */
const CLOSED = /^(vp8|vp08|vp9|vp09|av01)/;
/** Decoded frames kept for what comes next. */
const AHEAD = 3;
/** A key frame this many seconds after the decoder's position is reached by decoding on. */
const NEAR = 0.3;
/** Milliseconds after a hurry until the decoder is made ready to go on. Another frame may be asked for before. */
const RESUME_AFTER = 150;
/** A nearby picture is offered when the one asked for is this many seconds behind its key frame. */
const WORTH_OFFERING = 0.25;

export interface Picture {
  planes: ArrayBuffer;
  facts: PlanesFacts;
  /** Whether the planes differ from those of the stream. */
  lossy: boolean;
}

interface Geometry {
  width: number;
  height: number;
  rotation: PlanesFacts["rotation"];
  flip: boolean;
}

export class VideoReader {
  private decoder: VideoDecoder | null = null;
  private failure: Error | null = null;
  /** The packet given to the decoder last. */
  private fed: EncodedPacket | null = null;
  /** Whether it was flushed, and whether it gave everything. It needs a key frame then. */
  private isFlushed = false;
  private drained = false;
  /** Whether it was flushed though frames follow that are made from those it gave. */
  private isCutOff = false;
  private resuming: ReturnType<typeof setTimeout> | undefined;
  /** Changes when the decoder is reset or closed, so that older flushes are not taken for newer ones. */
  private run = 0;
  /** Microseconds of the frame asked for. */
  private target = -Infinity;
  /** Decoded frames at or after the target, by microseconds. */
  private ahead = new Map<number, VideoFrame>();
  /** The last decoded frame before the target. */
  private before: VideoFrame | null = null;
  private latest = -Infinity;
  /** Microseconds of the key frame that it began at. */
  private start = -Infinity;
  /** Packets inside the decoder, by microseconds, as they were given to it. */
  private inside = new Set<number>();
  /** Those that were inside when it went on at another key frame: their frames are not wanted. */
  private leftover = new Set<number>();
  /** Packets that it needs after one before it gives its frame, as far as that is known. */
  private needed = NEEDED;
  /** Frames that were not decoded since the last jump. */
  private passedOver = new Set<number>();
  /** Called when the decoder did something. */
  private wake: () => void = () => undefined;
  /** The frame read last, by microseconds. */
  private shownStamp: number | null = null;
  private verify = false;
  private readonly lengthSize: number | null;
  private work: Promise<unknown> = Promise.resolve();
  /** Pieces of work that are not done. */
  private pending = 0;

  private constructor(
    private readonly sink: EncodedPacketSink,
    private readonly config: VideoDecoderConfig,
    private readonly colour: Colour,
    private readonly geometry: Geometry,
    /** Size as shown. */
    readonly shown: { width: number; height: number },
    /** Seconds of the first shown frame on the track's clock. */
    readonly origin: number,
    private readonly tolerance: number,
  ) {
    this.lengthSize = lengthSize(config);
  }

  /** Null when the browser cannot decode the track. */
  static async open(track: InputVideoTrack): Promise<VideoReader | null> {
    const config = await track.getDecoderConfig();
    if (!config) return null;
    const exact: VideoDecoderConfig = { ...config, hardwareAcceleration: "prefer-software" };
    const supported = await VideoDecoder.isConfigSupported(exact).catch(() => null);
    if (!supported?.supported) return null;
    const sink = new EncodedPacketSink(track);
    const width = await track.getSquarePixelWidth();
    const height = await track.getSquarePixelHeight();
    const [rotation, flip] = [await track.getRotation(), await track.getFlip()];
    const turned = rotation === 90 || rotation === 270;
    const resolution = await track.getTimeResolution();
    return new VideoReader(
      sink,
      exact,
      colourOf(config, await track.getCodedHeight()),
      { width, height, rotation, flip },
      turned ? { width: height, height: width } : { width, height },
      await firstShown(sink),
      TOLERANCE + Math.min(1 / resolution, 0.001) * 0.6,
    );
  }

  /** The same track with a decoder of its own. */
  fork(): VideoReader {
    return new VideoReader(this.sink, this.config, this.colour, this.geometry, this.shown, this.origin, this.tolerance);
  }

  /** Whether all that it was asked for is done. */
  get isIdle() {
    return this.pending === 0;
  }

  /** Does work after what was asked for before. */
  private queue<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.resuming);
    this.pending++;
    const next = this.work.then(work).finally(() => this.pending--);
    this.work = next.catch(() => undefined);
    return next;
  }

  /** The packet of the frame shown at `time` seconds since the first frame. */
  private async packetAt(time: number): Promise<EncodedPacket> {
    const wanted = this.origin + Math.max(0, Number.isFinite(time) ? time : 0);
    const options = { metadataOnly: true };
    const packet = await this.sink.getPacket(wanted + this.tolerance, options);
    const first = packet && packet.timestamp >= this.origin - TOLERANCE / 2 ? packet : null;
    const found = first ?? (await this.sink.getPacket(this.origin + TOLERANCE / 2, options));
    if (!found) throw new Error("No picture in it can be decoded.");
    if (found.timestamp <= wanted) return found;
    // It is early by the tolerance, which is at most a quarter of the time since the frame before.
    const before = await this.sink.getPacket(found.timestamp - TOLERANCE / 2, options);
    if (!before || before.timestamp < this.origin - TOLERANCE / 2) return found;
    const early = Math.min(this.tolerance, (found.timestamp - before.timestamp) / 4);
    return wanted >= found.timestamp - early ? found : before;
  }

  /**
   * The frame shown at `time`; null when it is the one read last. In a `hurry` little after it is decoded. `offer` gets a nearby
   * one that is decoded earlier.
   */
  at(
    time: number,
    isWanted: () => boolean,
    hurry = false,
    offer?: (picture: Picture) => void,
  ): Promise<Picture | null | "unwanted"> {
    return this.queue(async () => (isWanted() ? this.read(time, isWanted, hurry, offer) : "unwanted"));
  }

  private async read(
    time: number,
    isWanted: () => boolean,
    hurry: boolean,
    offer?: (picture: Picture) => void,
  ): Promise<Picture | null | "unwanted"> {
    const packet = await this.packetAt(time);
    if (packet.microsecondTimestamp === this.shownStamp) return null;
    for (let attempt = 0; ; attempt++) {
      try {
        const found = await this.decodeTo(packet, isWanted, hurry, offer);
        if (!found) return "unwanted";
        this.shownStamp = null;
        const picture = await this.picture(found);
        found.close();
        this.shownStamp = packet.microsecondTimestamp;
        return picture;
      } catch (error) {
        this.closeDecoder();
        if (attempt > 0) throw error;
        // The container may call frames key frames that the decoder cannot start at.
        this.verify = true;
      }
    }
  }

  private async decodeTo(
    packet: EncodedPacket,
    isWanted: () => boolean,
    hurry: boolean,
    offer?: (picture: Picture) => void,
  ): Promise<VideoFrame | null> {
    const target = packet.microsecondTimestamp;
    const key = await this.sink.getKeyPacket(packet.timestamp + TOLERANCE / 2, this.keyOptions());
    const known = this.take(target);
    if (known) return known;
    const jump = !this.canReach(target, key);
    // What is shown first is often played from there. Who goes on frame by frame would have each one decoded from its key frame.
    const goesOn = this.isCutOff && target > this.target && target - this.target <= NEAR * 1e6;
    const mayCutOff = hurry && jump && this.fed !== null && !goesOn;
    this.target = target;
    for (const [stamp, frame] of this.ahead) if (stamp < target) this.hold(stamp, frame);
    if (jump) await this.restart(key);
    let offered = !jump || !key || packet.timestamp - key.timestamp < WORTH_OFFERING;
    for (;;) {
      if (this.failure) throw this.failure;
      const frame = this.take(target);
      if (frame) return frame;
      // Frames come in the order in which they are shown: one that was passed over is damaged.
      if (this.latest > target || (this.drained && this.decoder?.decodeQueueSize === 0)) {
        const nearest = this.before ?? this.ahead.values().next().value ?? null;
        if (nearest) {
          if (nearest === this.before) this.before = null;
          else this.ahead.delete(nearest.timestamp);
          return nearest;
        }
        throw new Error("No picture in it can be decoded.");
      }
      if (!isWanted()) return null;
      if (offer && !offered && this.before) {
        offered = true;
        this.shownStamp = null;
        offer(await this.picture(this.before));
        continue;
      }
      await this.feed(hurry, mayCutOff);
    }
  }

  private keyOptions() {
    return this.verify ? { verifyKeyPackets: true } : { metadataOnly: true };
  }

  private take(stamp: number): VideoFrame | null {
    const frame = this.ahead.get(stamp) ?? null;
    this.ahead.delete(stamp);
    return frame;
  }

  /** Whether the decoder comes to a frame by going on. */
  private canReach(target: number, key: EncodedPacket | null): boolean {
    if (!this.decoder || this.drained || !this.fed || this.latest >= target || this.passedOver.has(target))
      return false;
    if (target < this.start) return false;
    if (this.isFlushed) return this.inside.has(target);
    return !key || key.timestamp <= this.fed.timestamp + NEAR;
  }

  private hold(stamp: number, frame: VideoFrame) {
    this.ahead.delete(stamp);
    this.before?.close();
    this.before = frame;
  }

  /** Starts to decode at a key frame. */
  private async restart(key: EncodedPacket | null) {
    const first = key ?? (await this.sink.getFirstKeyPacket(this.keyOptions()));
    if (!first) throw new Error("It has no key frame.");
    const packet = (first.isMetadataOnly ? await this.sink.getKeyPacket(first.timestamp, {}) : first) ?? first;
    this.dropFrames();
    this.passedOver.clear();
    const decoder = this.goesOn(packet) ?? this.configured();
    this.failure = null;
    this.isFlushed = false;
    this.drained = false;
    this.isCutOff = false;
    this.latest = -Infinity;
    this.start = packet.microsecondTimestamp;
    this.push(packet, decoder);
  }

  /** The decoder, if it can go on at a key frame as it is. What is still inside is left over. */
  private goesOn(key: EncodedPacket): VideoDecoder | null {
    const { decoder } = this;
    if (decoder?.state !== "configured" || this.failure || decoder.decodeQueueSize > 0) return null;
    if (!this.drained) {
      if (this.isFlushed || !this.isClosed(key)) return null;
      for (const stamp of this.inside) this.leftover.add(stamp);
      // Its frame could not be told from the one that is left over.
      if (this.leftover.has(key.microsecondTimestamp)) return null;
    } else this.leftover.clear();
    this.inside.clear();
    return decoder;
  }

  private configured(): VideoDecoder {
    this.run++;
    this.inside.clear();
    this.leftover.clear();
    if (this.decoder && this.decoder.state !== "closed") this.decoder.reset();
    else
      this.decoder = new VideoDecoder({
        output: (frame) => this.receive(frame),
        error: (error) => {
          this.failure = error;
          this.wake();
        },
      });
    this.decoder.configure(this.config);
    this.decoder.ondequeue = () => this.wake();
    return this.decoder;
  }

  private receive(frame: VideoFrame) {
    const stamp = frame.timestamp;
    if (this.leftover.has(stamp)) {
      this.leftover.delete(stamp);
      frame.close();
      return;
    }
    this.leftover.clear();
    this.latest = stamp;
    // A decoder that was slow once is not taken to need more.
    if (stamp === this.target && !this.isFlushed) this.needed = Math.max(NEEDED, Math.min(this.needed, this.after()));
    // Frames come in the order in which they are shown.
    for (const given of this.inside) if (given <= stamp) this.inside.delete(given);
    if (stamp < this.target) this.hold(stamp, frame);
    else this.ahead.set(stamp, frame);
    this.wake();
  }

  private push(packet: EncodedPacket, decoder: VideoDecoder) {
    decoder.decode(packet.toEncodedVideoChunk());
    this.inside.add(packet.microsecondTimestamp);
    this.fed = packet;
  }

  /** Has the decoder give all that is inside. */
  private flush(decoder: VideoDecoder) {
    const { run } = this;
    const isCurrent = () => run === this.run && decoder === this.decoder;
    this.isFlushed = true;
    decoder.flush().then(
      () => {
        if (!isCurrent()) return;
        this.drained = true;
        this.wake();
      },
      (error: Error) => {
        if (!isCurrent()) return;
        this.failure ??= error;
        this.wake();
      },
    );
  }

  /**
   * Gives the decoder a packet, or waits until it has room. In a `hurry`, it gets few after the frame asked for. At the end of a
   * GOP, and elsewhere if that `mayCutOff`, it is flushed instead.
   */
  private async feed(hurry = false, mayCutOff = false) {
    const { decoder, fed } = this;
    if (!decoder || !fed) throw new Error("No picture in it can be decoded.");
    if (this.drained) return;
    const isBefore = fed.microsecondTimestamp < this.target;
    const isFull = decoder.decodeQueueSize >= (isBefore ? QUEUE_BEFORE : QUEUE);
    const isEnough = hurry && this.after() >= this.needed;
    if (isFull || isEnough || this.isFlushed) {
      const woken = new Promise<boolean>((resolve) => {
        this.wake = () => resolve(true);
      });
      if (isFull || this.isFlushed || (await Promise.race([woken, sleep(STUCK)]))) {
        await woken;
        return;
      }
      this.needed++;
    }
    const hasTarget = hurry && fed.microsecondTimestamp === this.target;
    const isLast = hasTarget && (await this.isLastOfGop(fed));
    // Frames that are waited for already come from going on.
    const isCutOff = hasTarget && mayCutOff && !isLast && this.pending === 1;
    const next = isLast || isCutOff ? null : await this.sink.getNextPacket(fed);
    // The frame asked for may have come meanwhile.
    if (this.failure || (hurry && this.latest >= this.target)) return;
    // A picture that is shown before the one asked for, and that no other one is made from, is not decoded.
    if (next && this.isPassedOver(next)) {
      this.passedOver.add(next.microsecondTimestamp);
      this.fed = next;
    } else if (next && !(hurry && this.inside.has(this.target) && this.isClosed(next))) this.push(next, decoder);
    else {
      this.isCutOff = isCutOff;
      this.flush(decoder);
    }
  }

  /** Whether nothing that is shown after a frame follows it before the next closed GOP. */
  private async isLastOfGop(frame: EncodedPacket): Promise<boolean> {
    let before = frame;
    for (let count = 0; count < KEY_AHEAD; count++) {
      const packet = await this.sink.getNextPacket(before, { metadataOnly: true });
      if (!packet) return true;
      if (packet.type === "key") {
        const key = await this.sink.getNextPacket(before);
        return key !== null && this.isClosed(key);
      }
      if (packet.timestamp > frame.timestamp) return false;
      before = packet;
    }
    return false;
  }

  /** Whether nothing from a packet on is made from a frame before it. False when in doubt. */
  private isClosed(packet: EncodedPacket): boolean {
    if (packet.type !== "key" || packet.isMetadataOnly) return false;
    if (CLOSED.test(this.config.codec)) return true;
    return this.lengthSize !== null && isIdr(packet.data, this.lengthSize);
  }

  /** Packets that the decoder got after the frame asked for and whose frames are shown after it, while it has that. */
  private after(): number {
    const inside = [...this.inside];
    const index = inside.indexOf(this.target);
    return index < 0 ? 0 : inside.slice(index + 1).filter((stamp) => stamp > this.target).length;
  }

  private isPassedOver(packet: EncodedPacket): boolean {
    if (this.lengthSize === null || packet.microsecondTimestamp >= this.target) return false;
    return packet.type === "delta" && isUnreferenced(packet.data, this.lengthSize);
  }

  /** Decodes a few frames for what is asked for next. */
  prefetch() {
    const run = async () => {
      while (this.ahead.size < AHEAD && this.decoder && !this.drained && !this.failure) await this.feed();
    };
    void this.queue(run).catch(() => undefined);
  }

  /** Has the decoder go on after the frame read last, in a while, if it was cut off there. */
  resume() {
    if (!this.isCutOff || this.pending > 0) return;
    const run = async () => {
      const { target } = this;
      // Microseconds are cut off, not rounded.
      await this.restart(await this.sink.getKeyPacket(target / 1e6 + TOLERANCE, this.keyOptions()));
      while (this.latest < target && this.pending === 1 && !this.drained && !this.failure) await this.feed();
    };
    this.resuming = setTimeout(() => void this.queue(run).catch(() => undefined), RESUME_AFTER);
  }

  /** The next frame is told as a whole, even if it is the one read last. */
  forget() {
    void this.queue(async () => {
      this.shownStamp = null;
    });
  }

  private async picture(frame: VideoFrame): Promise<Picture> {
    const { planes, colour, ...layout } = await copyPlanes(frame);
    const { rotation, flip } = this.geometry;
    const facts = { ...layout, ...(colour ?? this.colour), rotation, flip };
    return { planes, facts, lossy: colour !== undefined };
  }

  private dropFrames() {
    this.before?.close();
    this.before = null;
    for (const frame of this.ahead.values()) frame.close();
    this.ahead.clear();
  }

  /** Frees the decoder; the next frame makes a new one. */
  private closeDecoder() {
    clearTimeout(this.resuming);
    this.dropFrames();
    if (this.decoder && this.decoder.state !== "closed") this.decoder.close();
    this.decoder = null;
    this.run++;
    this.fed = null;
    this.latest = -Infinity;
    this.wake();
  }

  /** Ends it; what it is asked for after that fails. */
  close() {
    this.closeDecoder();
  }
}

const sleep = (milliseconds: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), milliseconds));

/** Seconds of the frame that is shown first. Frames before second 0 are cut off by an edit list. */
async function firstShown(sink: EncodedPacketSink): Promise<number> {
  let first = Infinity;
  let count = 0;
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
    if (packet.timestamp > -TOLERANCE / 2) first = Math.min(first, packet.timestamp);
    if (first !== Infinity && ++count >= PICTURES_AHEAD) break;
  }
  if (first === Infinity) throw new Error("No picture in it can be decoded.");
  return first;
}

/** The client. */

import { Batches } from "./batches.js";
import { Destinations } from "./destinations.js";
import { piecesOf } from "./downloads.js";
import { checkWritable, saveFile } from "./files.js";
import { type ClientOptions, Http, type RequestOptions } from "./http.js";
import { Projects } from "./projects.js";
import { ofRender, outputUrlOf, Renders } from "./renders.js";
import { Templates } from "./templates.js";
import type {
  Account,
  Brand,
  BrandRequest,
  CaptionsAnswer,
  CaptionsRequest,
  ImportAnswer,
  ImportRequest,
  KeyOwner,
  Preview,
  RegistryAnswer,
  RegistryArea,
  RenderJob,
  RenderRequest,
  StockFile,
  StockList,
  StockProvider,
  StockQuery,
  StockRequest,
  Transaction,
  Usage,
  UsageQuery,
  Voice,
  Voiceover,
  VoiceoverRequest,
} from "./types.js";
import { Uploads } from "./uploads.js";
import type { WaitOptions } from "./waiting.js";
import { Webhooks } from "./webhooks.js";

export interface RenderOptions extends WaitOptions, RequestOptions {
  /** A path to save the film to (Node, Deno, Bun). */
  output?: string;
}

/** A client of a Rondo service. */
export class Rondo {
  private readonly http: Http;
  readonly renders: Renders;
  readonly batches: Batches;
  readonly uploads: Uploads;
  readonly webhooks: Webhooks;
  readonly destinations: Destinations;
  readonly previews: Previews;
  readonly templates: Templates;
  readonly projects: Projects;
  readonly ai: Ai;
  readonly stock: Stock;
  readonly brand: BrandKit;
  readonly account: Accounts;

  constructor(options: ClientOptions = {}) {
    this.http = new Http(options);
    this.renders = new Renders(this.http);
    this.batches = new Batches(this.http);
    this.uploads = new Uploads(this.http);
    this.webhooks = new Webhooks(this.http);
    this.destinations = new Destinations(this.http);
    this.previews = new Previews(this.http);
    this.templates = new Templates(this.http);
    this.projects = new Projects(this.http);
    this.ai = new Ai(this.http);
    this.stock = new Stock(this.http);
    this.brand = new BrandKit(this.http);
    this.account = new Accounts(this.http);
  }

  /**
   * Renders a film and waits for it. With `output`, saves it to a file. Throws `RenderFailedError` if the render fails. Every error after
   * the start of the render has its `jobId`, but for the reason of `signal`, which is thrown as it is.
   */
  async render(request: RenderRequest, options: RenderOptions = {}): Promise<RenderJob> {
    const { output, onProgress, timeout, ...sent } = options;
    if (output !== undefined) await checkWritable(output);
    const { jobId } = await this.renders.create(request, sent);
    try {
      const job = await this.renders.wait(jobId, { onProgress, timeout, signal: sent.signal });
      if (output !== undefined) await saveFile(piecesOf(this.http, outputUrlOf(job), sent.signal), output);
      return job;
    } catch (error) {
      throw ofRender(error, jobId, sent.signal);
    }
  }

  /** Names that compositions can use: `fonts`, `animations`, `stickers` and so on. */
  registry(area: RegistryArea, search?: string): Promise<RegistryAnswer> {
    return this.http.request("GET", `/registry/${encodeURIComponent(area)}`, { query: { search } });
  }

  /** Turns a film of another service or editor into a composition. */
  import(request: ImportRequest, options: RequestOptions = {}): Promise<ImportAnswer> {
    return this.http.request("POST", "/imports", { body: request, ...options });
  }
}

class Previews {
  constructor(private readonly http: Http) {}

  /** Shows what a render would make and cost. Free. */
  create(request: RenderRequest & { confirmAiCost?: boolean }, options: RequestOptions = {}): Promise<Preview> {
    return this.http.request("POST", "/previews", { body: request, ...options });
  }
}

class Ai {
  constructor(private readonly http: Http) {}

  /** Speaks a text. Costs credits. */
  voiceover(request: VoiceoverRequest, options: RequestOptions = {}): Promise<Voiceover> {
    return this.http.request("POST", "/ai/voiceover", { body: request, ...options });
  }

  /** Recognizes the words of a recording. Costs credits. */
  captions(request: CaptionsRequest, options: RequestOptions = {}): Promise<CaptionsAnswer> {
    return this.http.request("POST", "/ai/captions", { body: request, ...options });
  }

  async voices(): Promise<Voice[]> {
    return (await this.http.request<{ voices: Voice[] }>("GET", "/ai/voices")).voices;
  }
}

/** Photos and videos of stock providers. */
class Stock {
  constructor(private readonly http: Http) {}

  /** The providers that the service has keys for. */
  async providers(): Promise<StockProvider[]> {
    return (await this.http.request<{ providers: StockProvider[] }>("GET", "/stock/providers")).providers;
  }

  search(query: StockQuery): Promise<StockList> {
    return this.http.request("GET", "/stock", { query });
  }

  /** Makes an item usable: the `fileUrl` of the answer is a `src` for compositions. */
  add(item: StockRequest, options: RequestOptions = {}): Promise<StockFile> {
    return this.http.request("POST", "/stock", { body: item, ...options });
  }
}

class BrandKit {
  constructor(private readonly http: Http) {}

  get(): Promise<Brand> {
    return this.http.request("GET", "/brand");
  }

  set(brand: BrandRequest, options: RequestOptions = {}): Promise<Brand> {
    return this.http.request("PUT", "/brand", { body: brand, ...options });
  }
}

class Accounts {
  constructor(private readonly http: Http) {}

  /** Whose key it is. */
  verify(): Promise<KeyOwner> {
    return this.http.request("POST", "/auth/verify");
  }

  /** The account with its credits, plan and limits. */
  get(): Promise<Account> {
    return this.http.request("GET", "/account");
  }

  usage(query: UsageQuery = {}): Promise<Usage> {
    return this.http.request("GET", "/account/usage", { query });
  }

  async transactions(): Promise<Transaction[]> {
    return (await this.http.request<{ transactions: Transaction[] }>("GET", "/account/transactions")).transactions;
  }
}

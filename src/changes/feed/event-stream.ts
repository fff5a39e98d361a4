// The feed as Server-Sent Events: a stream without an end. Rights and credentials are looked at again before each page.
import { Problem } from '../../errors/problem.ts'
import type { ChangeListener } from '../wake.ts'
import type { ChangeService } from './change-service.ts'
import type { FeedPage } from './feed.ts'
import type { FeedReader, FeedRequester } from './feed-reader.ts'

/** Proxies close a connection on which nothing comes for a minute. */
const BEAT_MS = 15_000
/** Events are sent in chunks of about this length, each when the client has taken the one before. */
const CHUNK_CHARACTERS = 64 * 1024

/** An end of the stream that is no fault: the client connects again. */
const END = {
  stopping: 'event: end\ndata: {"reason":"The service is stopping."}\n\n',
  setup: 'event: end\ndata: {"reason":"The setup has changed."}\n\n',
} as const

/** Begins with a page that was read. Throws 503 when too many wait already. */
export function eventStream(
  service: ChangeService,
  request: FeedRequester,
  reader: FeedReader,
  first: FeedPage,
): AsyncGenerator<Uint8Array, void, void> {
  const release = service.waits.acquireNow(request.requester.flow)
  const closed = new AbortController()
  request.onClosed(() => {
    closed.abort()
    release()
  })
  request.leaveFlight()
  return chunks(new EventStream(service, request, reader, closed.signal).texts(first))
}

async function* chunks(texts: AsyncGenerator<string, void, void>): AsyncGenerator<Uint8Array, void, void> {
  for await (const text of texts) yield Buffer.from(text)
}

class EventStream {
  readonly #service: ChangeService
  readonly #request: FeedRequester
  readonly #reader: FeedReader
  readonly #closed: AbortSignal
  #beatAt = 0
  #toldCursor = ''
  /** The number of the newest change that it has heard of. */
  #newest = 0

  constructor(service: ChangeService, request: FeedRequester, reader: FeedReader, closed: AbortSignal) {
    this.#service = service
    this.#request = request
    this.#reader = reader
    this.#closed = closed
  }

  async *texts(first: FeedPage): AsyncGenerator<string, void, void> {
    yield this.#head()
    try {
      using listening = this.#service.signals.listen(this.#reader.companyId)
      yield* this.#untilEnd(first, listening)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      yield `event: error\ndata: ${JSON.stringify(error.body)}\n\n`
    }
  }

  async *#untilEnd(first: FeedPage, listening: ChangeListener): AsyncGenerator<string, void, void> {
    for (let page = first; ; page = await this.#reader.readWoken(this.#newest)) {
      yield* this.#events(page)
      this.#reader.advance(page)
      if (page.isAtEnd) yield* this.#wait(page, listening)
      if (this.#closed.aborted) return
      if (this.#service.isStopping) return yield END.stopping
      if ((await this.#request.callerNow()) !== this.#request.caller) return yield END.setup
    }
  }

  async *#wait({ last }: FeedPage, listening: ChangeListener): AsyncGenerator<string, void, void> {
    if (performance.now() >= this.#beatAt) yield this.#beat()
    if (this.#service.isStopping) return
    this.#newest = await listening.after(last, this.#beatAt - performance.now(), this.#closed)
  }

  #head(): string {
    this.#moveBeat()
    this.#toldCursor = this.#reader.cursor()
    return `id: ${this.#toldCursor}\nevent: head\ndata: ${this.#reader.head}}\n\n`
  }

  *#events({ changes }: FeedPage): Generator<string, void, void> {
    let text = ''
    for (const { position, json } of changes) {
      this.#toldCursor = this.#reader.cursor(position)
      text += `id: ${this.#toldCursor}\nevent: change\ndata: ${json}\n\n`
      if (text.length < CHUNK_CHARACTERS) continue
      yield text
      text = ''
    }
    if (text !== '') yield text
    if (changes.length > 0) this.#moveBeat()
  }

  /** A comment. A cursor that has moved over changes that this caller is not told of comes with it. */
  #beat(): string {
    this.#moveBeat()
    const cursor = this.#reader.cursor()
    if (cursor === this.#toldCursor) return ': \n\n'
    this.#toldCursor = cursor
    return `: \nid: ${cursor}\n\n`
  }

  #moveBeat(): void {
    this.#beatAt = performance.now() + BEAT_MS
  }
}

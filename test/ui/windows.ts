import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** The context of a window that was closed, and a page of the same origin in it. */
type Kept = { context: BrowserContext; anchor: Page }
/** By their options; the one that was in use last is the last. */
const kept = new Map<string, Kept>()
const maxKept = 3

/**
 * Opens the window as in a browser that knows nothing of it but `state`. In a context that is free again, beside a page
 * that keeps the browser's process and what it compiled, that takes 0.3 s of processor time instead of 0.7. Another
 * window of the same test has a context of its own.
 */
export async function openWindow(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
  state: StorageState | null,
): Promise<Page> {
  const { origin } = new URL(address)
  const key = JSON.stringify(options)
  const { context, anchor } = await freeContext(browser, key, options)
  if (new URL(anchor.url()).origin !== origin) await anchor.goto(`${origin}/brand.svg`)
  await anchor.evaluate(
    (entries) => {
      sessionStorage.clear()
      localStorage.clear()
      for (const { name, value } of entries) localStorage.setItem(name, value)
    },
    state?.origins.find((one) => one.origin === origin)?.localStorage ?? [],
  )
  const opened = context.waitForEvent('page')
  await anchor.evaluate((url) => void open(url), address)
  const page = await opened
  // After the last test the browser may be gone before its context is released.
  page.once('close', () => void release(key, { context, anchor }).catch(() => undefined))
  return page
}

async function freeContext(browser: Browser, key: string, options: BrowserContextOptions): Promise<Kept> {
  const found = kept.get(key)
  kept.delete(key)
  if (found !== undefined) return found
  const context = await browser.newContext(options)
  return { context, anchor: await context.newPage() }
}

async function release(key: string, { context, anchor }: Kept): Promise<void> {
  // The test closed the context.
  if (anchor.isClosed()) return
  const others = context.pages().filter((page) => page !== anchor)
  await Promise.all(others.map((page) => page.close()))
  if (kept.has(key)) return context.close()
  kept.set(key, { context, anchor })
  const [oldest] = kept
  if (kept.size <= maxKept || oldest === undefined) return
  kept.delete(oldest[0])
  await oldest[1].context.close()
}

import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { isLong } from '../helpers/scale.ts'
import { expect } from './host.ts'

const pictures = fileURLToPath(new URL('../../test-results/screens/', import.meta.url))
mkdirSync(pictures, { recursive: true })

/** `forced`: with the system's colours for high contrast. */
export type Look = { locale: string; scheme: 'light' | 'dark'; width: number; height: number; forced?: true }

const wide = ['en-US', 'de-DE', 'fr-FR'].flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((scheme): Look[] => [
    { locale, scheme, width: 1280, height: 800 },
    { locale, scheme, width: 1920, height: 1080 },
  ]),
)
const small: Look[] = [
  { locale: 'fr-FR', scheme: 'light', width: 1024, height: 700 },
  // 1280 × 800 at 200 %.
  { locale: 'de-DE', scheme: 'light', width: 640, height: 400 },
]
const forced: Look = { locale: 'en-US', scheme: 'dark', width: 1280, height: 800, forced: true }

/** As the window is opened when nothing else is said. */
export const plain: Look = { locale: 'en-US', scheme: 'light', width: 1280, height: 800 }
/** In dark, and where words are long. */
export const longWords: Look = { locale: 'de-DE', scheme: 'dark', width: 1280, height: 800 }
const all = [...wide, ...small, forced]

/** How the screens are looked at: by `npm test` once, in light, by `npm run test:all` in every way. */
export const screenLooks: readonly Look[] = isLong ? all : [plain]
/** How what can come about on a screen is looked at: by `npm test` once, in dark and where words are long. */
export const looks: readonly Look[] = isLong ? all : [longWords]

/** A look in the title of a test. */
export function titleOf({ locale, scheme, width, height, forced: isForced }: Look): string {
  return `${locale}, ${isForced ? 'forced colours' : scheme}, ${width}×${height}`
}

/** What a browser needs for a look; nothing moves, so that pictures are the same. */
export function contextOf({ locale, scheme, width, height, forced: isForced }: Look): BrowserContextOptions {
  return {
    locale,
    colorScheme: scheme,
    viewport: { width, height },
    reducedMotion: 'reduce',
    forcedColors: isForced ? 'active' : 'none',
  }
}

/** Takes a picture of the window, to be looked at by a person. */
export async function picture(page: Page, name: string, look: Look): Promise<void> {
  await page.screenshot({
    path: `${pictures}${name}-${look.locale}-${look.forced ? 'forced' : look.scheme}-${look.width}.png`,
    animations: 'disabled',
  })
}

/** No finding at all (WCAG 2.2 A and AA, and what axe holds for good practice). */
export async function expectAccessible(page: Page): Promise<void> {
  // A screen that was just gone to may still be on its way.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  // The window has no frames, so none are looked for; with that and without the list of what passed a look takes 0.3 s
  // instead of 1.4.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    .analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
  ).toEqual([])
}

/** Nothing that reaches beyond the window and makes all of it scroll, or beyond the box that it stands in. */
export async function expectFitting(page: Page): Promise<void> {
  const size = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth > innerWidth,
    tall: document.documentElement.scrollHeight > innerHeight,
  }))
  expect(size).toEqual({ wide: false, tall: false })
  const boxes = await page.evaluate(() =>
    [...document.querySelectorAll('.panel, .card, .callout, .dialog, .dialog__body')]
      .filter((box) => box.scrollWidth > box.clientWidth + 1)
      .map((box) => box.outerHTML.slice(0, 200)),
  )
  expect(boxes).toEqual([])
}

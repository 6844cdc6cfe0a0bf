import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './host.ts'

const pictures = fileURLToPath(new URL('../../test-results/screens/', import.meta.url))
mkdirSync(pictures, { recursive: true })

export type Look = { locale: string; scheme: 'light' | 'dark'; width: number; height: number }

/** Takes a picture of the window, to be looked at by a person. */
export async function picture(page: Page, name: string, look: Look): Promise<void> {
  await page.screenshot({ path: `${pictures}${name}-${look.locale}-${look.scheme}-${look.width}.png`, animations: 'disabled' })
}

/** No finding that keeps anybody from using the window (WCAG 2.2 A and AA). */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)).toEqual([])
}

/** Nothing that reaches beyond the window and makes all of it scroll. */
export async function expectFitting(page: Page): Promise<void> {
  const size = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth > innerWidth, tall: document.documentElement.scrollHeight > innerHeight }))
  expect(size).toEqual({ wide: false, tall: false })
}

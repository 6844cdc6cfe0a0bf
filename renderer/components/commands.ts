import type { IconName } from './icon.tsx'

/** Something that the palette can do. `words` are what it is found by and shown as. */
export type Command = { id: string; words: string; detail?: string; icon?: IconName; keys?: string; run: () => void }

/** A text without case and accents, which a search ignores. Pure. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/**
 * The commands that have every word of `query` in their own, those that begin with it first, otherwise in their order.
 * Pure.
 */
export function matchingCommands<C extends Pick<Command, 'words' | 'detail'>>(
  commands: readonly C[],
  query: string,
): C[] {
  const wanted = plain(query).split(/\s+/).filter(Boolean)
  const matching = commands
    .map((command) => ({
      command,
      words: plain(command.words),
      text: plain(`${command.words} ${command.detail ?? ''}`),
    }))
    .filter(({ text }) => wanted.every((word) => text.includes(word)))
  const first = wanted.join(' ')
  return [
    ...matching.filter(({ words }) => words.startsWith(first)),
    ...matching.filter(({ words }) => !words.startsWith(first)),
  ].map(({ command }) => command)
}

const controls = [
  '.main .button',
  '.main button, .main a[href], .main [role="tab"], .main input[type="radio"], .main input[type="checkbox"]',
]

/**
 * What the screen offers, by the names that its controls have for screen readers: whatever a screen can do is found
 * here without saying so twice. A control of one of several items, such as a folder, names its item. Buttons with words
 * come first; controls that are off or hidden are left out.
 */
export function commandsOnScreen(root: ParentNode): Command[] {
  const byName = new Map<string, Command>()
  for (const control of controls.flatMap((which) => [...root.querySelectorAll<HTMLElement>(which)])) {
    const words = nameOf(control)
    const isOff = control.matches(':disabled, [aria-disabled="true"]') || !control.checkVisibility()
    const owner = control.closest('li[aria-label]')?.getAttribute('aria-label') ?? ''
    const detail = owner === '' || words.includes(owner) ? null : owner
    const name = `${words}\n${detail ?? ''}`
    if (words === '' || isOff || byName.has(name)) continue
    byName.set(name, {
      id: `screen:${byName.size}`,
      words,
      ...(detail === null ? {} : { detail }),
      run: () => press(control),
    })
  }
  return [...byName.values()]
}

function nameOf(control: HTMLElement): string {
  const label = control.getAttribute('aria-label')
  if (label !== null) return label.trim()
  const words =
    control instanceof HTMLInputElement ? control.closest('label') : (control.querySelector('.button__text') ?? control)
  return textsOf(words).join(' ').replace(/\s+/g, ' ')
}

/** The texts inside an element, one by one: what only styles separate must not run together. */
function textsOf(element: Element | null): string[] {
  const texts: string[] = []
  const walker = document.createTreeWalker(element ?? document.createElement('span'), NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push(walker.currentNode.nodeValue?.trim() ?? '')
  return texts.filter(Boolean)
}

function press(control: HTMLElement): void {
  control.focus()
  control.click()
}

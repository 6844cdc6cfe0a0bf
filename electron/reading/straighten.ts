import type { Page } from '../../shared/domain/document.ts'

/**
 * A page whose lines lean (`skewDegrees`) with its boxes turned about the page's centre, so that words of one line
 * stand level. Tokens keep their order and number; a box may reach a little past the page. A straight
 * page is returned as it is.
 */
export function straightenPage(page: Page): Page {
  if (page.skewDegrees === undefined || page.skewDegrees === 0) return page
  const angle = (-page.skewDegrees * Math.PI) / 180
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const tokens = page.tokens.map((token) => {
    const x = (token.box.x + token.box.width / 2 - 0.5) * page.width
    const y = (token.box.y + token.box.height / 2 - 0.5) * page.height
    return {
      ...token,
      box: {
        ...token.box,
        x: (x * cos - y * sin) / page.width + 0.5 - token.box.width / 2,
        y: (x * sin + y * cos) / page.height + 0.5 - token.box.height / 2,
      },
    }
  })
  return { ...page, tokens, skewDegrees: 0 }
}

import type { Page } from '../../shared/domain/document.ts'

/** True when lines that lean by these degrees run up or down the page rather than across it. */
export function standsOnSide(degrees: number): boolean {
  return Math.abs(Math.sin((degrees * Math.PI) / 180)) > Math.SQRT1_2
}

/**
 * A page whose lines lean (`skewDegrees`) with its boxes turned about the page's centre, so that words of one line
 * stand level. A page that stands on its side is turned with them. Tokens keep their order and number; a box may reach
 * a little past the page. A straight page is returned as it is.
 */
export function straightenPage(page: Page): Page {
  if (page.skewDegrees === undefined || page.skewDegrees === 0) return page
  const angle = (-page.skewDegrees * Math.PI) / 180
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const onSide = standsOnSide(page.skewDegrees)
  const [width, height] = onSide ? [page.height, page.width] : [page.width, page.height]
  const tokens = page.tokens.map((token) => {
    const x = (token.box.x + token.box.width / 2 - 0.5) * page.width
    const y = (token.box.y + token.box.height / 2 - 0.5) * page.height
    const boxWidth = onSide ? (token.box.height * page.height) / width : token.box.width
    const boxHeight = onSide ? (token.box.width * page.width) / height : token.box.height
    return {
      ...token,
      box: {
        x: (x * cos - y * sin) / width + 0.5 - boxWidth / 2,
        y: (x * sin + y * cos) / height + 0.5 - boxHeight / 2,
        width: boxWidth,
        height: boxHeight,
      },
      fontSize: (token.fontSize * page.height) / height,
    }
  })
  return { ...page, width, height, tokens, skewDegrees: 0 }
}

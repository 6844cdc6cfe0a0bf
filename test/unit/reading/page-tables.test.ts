import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../electron/reading/read.ts'
import { onePage } from '../../faults/hostile-files.ts'

const noRecognition = (): Promise<never> => Promise.reject(new Error('no picture here'))

/** Text in Helvetica, 10 points, from the bottom left. */
const text = (x: number, y: number, words: string): string => `BT /F1 10 Tf ${x} ${y} Td (${words}) Tj ET`
const line = (...[x1, y1, x2, y2]: number[]): string => `${x1} ${y1} m ${x2} ${y2} l S`

/** The tables of a page, a row as its texts: `text*3` reaches over three columns, what holds nothing is empty. */
async function tablesOf(...content: string[]): Promise<string[][][]> {
  const { pages } = await readDocument(onePage(content.join('\n')), 'pdf', noRecognition)
  return pages[0]!.tables.map(({ rows }) =>
    rows.map((row) => row.map((cell) => cell.text + (cell.columnSpan === undefined ? '' : `*${cell.columnSpan}`))),
  )
}

const prose = [700, 688, 676, 664].map((y) =>
  text(60, y, 'A report says in whole sentences what is not in its tables.'),
)

describe('a table in a PDF', () => {
  const verticals = [60, 260, 340, 420].map((x) => line(x, 400, x, 480))
  const horizontals = [400, 420, 460, 480].map((y) => line(60, y, 420, y))
  const cells = [
    ...[text(64, 466, 'Product'), text(264, 466, 'Pieces'), text(344, 466, 'Amount')],
    ...[text(64, 446, 'Paper, white,'), text(64, 434, 'a ream'), text(264, 446, '12'), text(344, 446, '48.00')],
    ...[text(64, 406, 'Pens'), text(264, 406, '3'), text(344, 406, '7.50')],
  ]
  const rows = [
    ['Product', 'Pieces', 'Amount'],
    ['Paper, white, a ream', '12', '48.00'],
    ['Pens', '3', '7.50'],
  ]

  it('has the cells that its lines draw, with all lines of text in each', async () => {
    expect(await tablesOf(...prose, ...verticals, ...horizontals, ...cells)).toEqual([rows])
  })

  it('says that lines are drawn between its rows, and says nothing where they are not', async () => {
    const ruled = async (...content: string[]): Promise<boolean[]> => {
      const { pages } = await readDocument(onePage(content.join('\n')), 'pdf', noRecognition)
      return pages[0]!.tables.map((table) => table.ruled ?? false)
    }
    expect(await ruled(...prose, ...verticals, ...horizontals, ...cells)).toEqual([true])
    const outer = [400, 480].map((y) => line(60, y, 420, y))
    const rowsAlone = [
      ...[text(64, 466, 'Product'), text(264, 466, 'Pieces'), text(344, 466, 'Amount')],
      ...[text(64, 440, 'Paper'), text(264, 440, '12'), text(344, 440, '48.00')],
      ...[text(64, 420, 'Pens'), text(264, 420, '3'), text(344, 420, '7.50')],
    ]
    expect(await ruled(...prose, ...verticals, ...outer, ...rowsAlone)).toEqual([false])
  })

  it('is the same where areas in colour stand for lines, and text has room around it', async () => {
    const area = (x: number, y: number, width: number, height: number): string =>
      `0.9 g ${x} ${y} ${width} ${height} re f 0 g`
    const areas = [400, 420, 460].flatMap((y, row) =>
      [60, 260, 340].map((x, column) => area(x, y, column === 0 ? 198 : 78, [19, 39, 19][row]!)),
    )
    expect(await tablesOf(...areas, ...prose, ...cells)).toEqual([rows])
  })

  it('has a head over several columns where no line parts them', async () => {
    const parted = [
      line(60, 400, 60, 500),
      line(420, 400, 420, 500),
      line(260, 400, 260, 480),
      line(340, 400, 340, 480),
    ]
    expect(
      await tablesOf(
        ...parted,
        ...horizontals,
        line(60, 500, 420, 500),
        text(64, 486, 'Name'),
        ...cells,
        line(260, 480, 260, 500),
        text(264, 486, 'What it comes to'),
      ),
    ).toEqual([[['Name', 'What it comes to*2'], ...rows]])
  })

  it('has as many rows as lines where only its columns are ruled apart', async () => {
    const content = [
      ...[text(64, 466, 'Year'), text(264, 466, 'North'), text(344, 466, 'South')],
      ...[2022, 2023, 2024].flatMap((year, index) => [
        text(64, 446 - index * 14, String(year)),
        text(264, 446 - index * 14, `${index + 4}.5`),
        text(344, 446 - index * 14, `${index + 7}.1`),
      ]),
    ]
    const frame = [400, 460, 480].map((y) => line(60, y, 420, y))
    expect(await tablesOf(...verticals, ...frame, ...content)).toEqual([
      [
        ['Year', 'North', 'South'],
        ['2022', '4.5', '7.1'],
        ['2023', '5.5', '8.1'],
        ['2024', '6.5', '9.1'],
      ],
    ])
  })

  it('is found without any line, by what stands below each other, also where amounts stand closely', async () => {
    const row = (y: number, label: string, one: string, two: string): string[] => [
      text(60, y, label),
      text(224 - one.length * 5.5, y, one),
      text(264 - two.length * 5.5, y, two),
    ]
    expect(
      await tablesOf(
        ...prose,
        ...row(600, 'Rent', '800', '800'),
        ...row(586, 'Power', '1,120', '40'),
        ...row(572, 'Water and waste', '35', '1,200.5'),
        ...row(558, 'Total', '1,955', '2,040.5'),
      ),
    ).toEqual([
      [
        ['Rent', '800', '800'],
        ['Power', '1,120', '40'],
        ['Water and waste', '35', '1,200.5'],
        ['Total', '1,955', '2,040.5'],
      ],
    ])
  })
})

describe('no table', () => {
  it('is a text in two columns', async () => {
    const column = (x: number): string[] =>
      [700, 688, 676, 664, 652].map((y) => text(x, y, 'Words of a newspaper go on from line to line'))
    expect(await tablesOf(...column(60), ...column(320))).toEqual([])
  })

  it('is a frame around a text', async () => {
    const frame = [line(50, 650, 500, 650), line(50, 720, 500, 720), line(50, 650, 50, 720), line(500, 650, 500, 720)]
    expect(await tablesOf(...frame, ...prose)).toEqual([])
  })

  it('is a chart, whose lines hold hardly a word', async () => {
    const lines = [100, 160, 220, 280, 340, 400].flatMap((at) => [
      line(at, 400, at, 700),
      line(100, at + 300, 400, at + 300),
    ])
    const labels = [0, 50, 100].map((value, index) => text(110, 405 + index * 120, String(value)))
    expect(await tablesOf(...lines, ...labels, text(290, 405, '2024'))).toEqual([])
  })
})

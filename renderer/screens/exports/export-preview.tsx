import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import type { ExportSpec } from '../../../shared/contract/exports.ts'
import { hrefOf } from '../../client/route.ts'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { LeftOut } from './left-out.tsx'
import { listFlagged } from './list-flagged.ts'

type Preview = CallOutput<'exports.preview'>
type Table = Preview['tables'][number]

/** How many are to be checked, which are among those that are exported or left out. */
const flaggedIds = {
  included: { exact: 'exports.flagged', atLeast: 'exports.flaggedAtLeast' },
  leftOut: { exact: 'exports.leftOut', atLeast: 'exports.leftOutAtLeast' },
} as const

/** The first rows of each table, as they will stand in the file; several as sheets, with their tabs below them. */
export function ExportPreview({
  preview,
  spec,
  onBookAgain,
}: {
  preview: Preview
  spec: ExportSpec
  onBookAgain: (() => void) | undefined
}): ReactNode {
  const { t, formats } = useLanguage()
  const { tables, atLeast, leftOut } = preview
  const { format, reviews } = spec
  const isLeftOut = reviews.length > 0 && !reviews.includes('flagged')
  const documents = t(atLeast.documents ? 'exports.fromAtLeast' : 'count.documents', {
    count: preview.documents,
    shown: formats.count(preview.documents),
  })
  const table = (one: Table): ReactNode => <SheetTable table={one} atLeast={atLeast.rows} />
  return (
    <section className="sheet" aria-label={t('exports.preview')}>
      <header className="sheet__head">
        <h2>{t('exports.preview')}</h2>
        <span className="sheet__about tabular">
          {preview.flagged > 0 && (
            <a className="sheet__flagged" href={hrefOf({ screen: 'documents' })} onClick={() => listFlagged(spec)}>
              <Icon name="flag" size={12} />
              <span>
                {t(flaggedIds[isLeftOut ? 'leftOut' : 'included'][atLeast.flagged ? 'atLeast' : 'exact'], {
                  count: preview.flagged,
                  shown: formats.count(preview.flagged),
                })}
              </span>
            </a>
          )}
          <span className="hint">{documents}</span>
        </span>
      </header>
      <LeftOut
        documents={leftOut}
        alreadyBooked={preview.alreadyBooked}
        isAll={!atLeast.rows}
        isOpen={tables.length === 0}
        {...(onBookAgain && { onBookAgain })}
      />
      {tables.length === 0 ? null : tables.length === 1 ? (
        <div className="sheet__body">{table(tables[0]!)}</div>
      ) : (
        <Tabs className="sheet__body">
          <TabList
            className="sheet__tabs"
            aria-label={t(format === 'xlsx' || format === 'json' ? 'exports.sheets' : 'exports.files')}
          >
            {tables.map(({ name }, at) => (
              <Tab key={at} id={String(at)} className="sheet__tab">
                <span className="ellipsis" title={name}>
                  {name}
                </span>
              </Tab>
            ))}
          </TabList>
          {tables.map((one, at) => (
            <TabPanel key={at} id={String(at)} className="sheet__panel">
              {table(one)}
            </TabPanel>
          ))}
        </Tabs>
      )}
      {(atLeast.rows || format === 'json') && (
        <p className="hint sheet__note">{t(format === 'json' ? 'exports.jsonHint' : 'exports.bounded')}</p>
      )}
    </section>
  )
}

function SheetTable({ table, atLeast }: { table: Table; atLeast: boolean }): ReactNode {
  const { t, formats } = useLanguage()
  const rest = table.totalRows - table.rows.length
  return (
    <>
      <div className="sheet__scroll" tabIndex={0} role="region" aria-label={table.name}>
        <table className="sheet__table">
          <thead>
            <tr>
              <th className="sheet__row-number" aria-hidden="true" />
              {table.columns.map((column, index) => (
                <th
                  key={index}
                  scope="col"
                  className={column.align === 'right' ? 'num' : undefined}
                  title={column.header}
                >
                  {column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, index) => (
              <tr key={index}>
                <td className="sheet__row-number" aria-hidden="true">
                  {formats.count(index + 1)}
                </td>
                {row.map((cell, column) => (
                  <td
                    key={column}
                    className={table.columns[column]?.align === 'right' ? 'num' : undefined}
                    title={cell.length > 30 ? cell : undefined}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="hint sheet__foot tabular">
        {t(atLeast ? 'exports.rowsAtLeast' : 'exports.rows', {
          count: table.totalRows,
          shown: formats.count(table.totalRows),
        })}
        {rest > 0 && ` · ${t('exports.shownRows', { shown: formats.count(table.rows.length) })}`}
      </p>
    </>
  )
}

import type { ReactNode } from 'react'
import type { CallOutput } from '../../../shared/contract.ts'
import { useLanguage } from '../../messages/language.tsx'

/** The first rows of each table, as they will stand in the file. */
export function ExportPreview({ preview }: { preview: CallOutput<'exports.preview'> }): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <section className="export-preview" aria-label={t('exports.preview')}>
      {preview.tables.map((table, at) => (
        <figure key={at} className="sheet">
          <figcaption className="sheet__head">
            <h2 className="ellipsis" title={table.name}>
              {preview.tables.length > 1 ? table.name : t('exports.preview')}
            </h2>
            <span className="hint tabular">
              {t('exports.rows', { count: table.totalRows, shown: formats.count(table.totalRows) })}
              {at === 0 && ` · ${t('exports.fromDocuments', { count: preview.documents, shown: formats.count(preview.documents) })}`}
            </span>
          </figcaption>
          <div className="sheet__scroll" tabIndex={0} role="region" aria-label={table.name}>
            <table className="sheet__table">
              <thead>
                <tr>
                  <th className="sheet__row-number" aria-hidden="true" />
                  {table.columns.map((column, index) => (
                    <th key={index} scope="col" className={column.align === 'right' ? 'num' : undefined}>
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
                      <td key={column} className={table.columns[column]?.align === 'right' ? 'num' : undefined} title={cell.length > 30 ? cell : undefined}>
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {table.totalRows > table.rows.length && <p className="hint sheet__more">{t('exports.more', { shown: formats.count(table.totalRows - table.rows.length) })}</p>}
        </figure>
      ))}
    </section>
  )
}

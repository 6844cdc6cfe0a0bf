import { describe, expect, it } from 'vitest'
import { errorPolicies } from '../../shared/domain/errors.ts'
import type { ErrorCode } from '../../shared/domain/errors.ts'
import { questionSentenceFor, questionSentences } from '../../shared/messages/question-sentences.ts'
import { locales } from '../../shared/messages/sentences.ts'

/** Codes that only concern files, folders, schemas and exports: no question and no connection test ends with one. */
const aboutFiles = new RegExp(
  `^(?:${[
    'hidden_file',
    'lock_file',
    'unfinished_download',
    'symbolic_link',
    'not_a_file',
    'empty_file',
    'unsupported_type',
    'extension_mismatch',
    'duplicate',
    String.raw`file_\w+`,
    String.raw`folder_\w+`,
    'no_callback',
    String.raw`callback_\w+`,
    'sent_again',
    'own_export',
    'no_e_invoice',
    'read_here_only',
    String.raw`mail(?:_\w+)?`,
    'kind_unsure',
    'cut(?:_proposed)?',
    'under_way',
    'left_out',
    'move_failed',
    String.raw`failed_\w+`,
    'no_text',
    'extraction_failed',
    'service_gave_up',
    String.raw`schema_\w+`,
    'path_missing',
    String.raw`export_\w+`,
    String.raw`workbook_\w+`,
    'draft_impossible',
    'usage',
  ].join('|')})$`,
)

const elsewhere = (Object.keys(errorPolicies) as ErrorCode[]).filter((code) => !aboutFiles.test(code))

describe('what a person reads who asks a question or tests a connection', () => {
  it.each(locales)('speaks of no file in %s: nothing waits here', (locale) => {
    expect(elsewhere.length).toBeGreaterThan(40)
    for (const code of elsewhere) {
      expect(questionSentenceFor(code, {}, locale), code).not.toMatch(
        /\bfiles?\b|\bdocuments? waits?\b|Datei|Dokument wartet|fichier|document attend|sends? it again by itself|von selbst|de lui-même/i,
      )
    }
  })

  it('has the same placeholders in every language', () => {
    const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).sort()
    for (const [code, texts] of Object.entries(questionSentences)) {
      for (const locale of locales) {
        expect(texts[locale].length, code).toBeGreaterThan(20)
        expect(placeholders(texts[locale]), `${code} in ${locale}`).toEqual(placeholders(texts.en))
      }
    }
  })

  it('is the usual sentence where that fits, filled from the details', () => {
    expect(questionSentenceFor('model_not_found', { model: 'svc-huge' }, 'en')).toBe(
      'The service does not know the model “svc-huge”. Choose one from its list.',
    )
    expect(questionSentenceFor('connection_refused', { host: 'api.example.com' }, 'en')).toContain(
      'Nothing answers at api.example.com',
    )
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { shippedModel } from '../../electron/service/finding/model.ts'
import type { Model, RowsModel } from '../../electron/service/finding/model.ts'

const folder = fileURLToPath(new URL('../../node_modules/.cache/sheaf-folds/', import.meta.url))

/**
 * The model that judges a document of a sender: one that never saw the sender where `npm run train` left such models,
 * else the one that is shipped. `areFolded` says whether it left any.
 */
export function foldModels(): { modelFor(group: string): Model; areFolded: boolean } {
  if (!existsSync(`${folder}folds.json`)) return { modelFor: () => shippedModel, areFolded: false }
  const folds = JSON.parse(readFileSync(`${folder}folds.json`, 'utf8')) as Record<string, number>
  const models = new Map<number, Model>()
  const modelOf = (fold: number): Model => {
    const model = models.get(fold) ?? {
      ...(read(`fields-${fold}`) ?? shippedModel),
      rows: read<RowsModel>(`rows-${fold}`) ?? shippedModel.rows,
    }
    models.set(fold, model)
    return model
  }
  return {
    modelFor: (group) => (Object.hasOwn(folds, group) ? modelOf(folds[group]!) : shippedModel),
    areFolded: true,
  }
}

function read<Part = Omit<Model, 'rows'>>(name: string): Part | undefined {
  const path = `${folder}${name}.json`
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Part) : undefined
}

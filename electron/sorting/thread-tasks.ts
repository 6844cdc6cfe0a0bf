import type { Sorted, SortingQuestion } from '../../shared/domain/sorting.ts'
import { readFileToDocument } from '../reading/read-file.ts'
import type { FileToRead } from '../reading/read-file.ts'
import type { ReserveMemory, Recognise } from '../reading/recognise.ts'
import { sortDocument } from './sort.ts'

/** What a thread that sorts can do. The document stays in the thread: only what is said of it crosses over. */
export const sortingTasks = {
  sort: async (
    { question, ...file }: FileToRead & { question: SortingQuestion },
    recognise: Recognise,
    reserveMemory: ReserveMemory,
  ): Promise<Sorted> => sortDocument(await readFileToDocument(file, recognise, reserveMemory), question),
}

import { EngineError } from '../errors.ts';
import type { Backend, Judgement } from './backend.ts';

/**
 * Lets a substitute judge when the backend fails, and says so: `usedFallback`, the failure's warnings and facts.
 * A substitute that fails too fails the judgement.
 */
export function withFallback(backend: Backend, substitute: Backend): Backend {
  return {
    name: backend.name,
    async judge(request) {
      try {
        return await backend.judge(request);
      } catch (error) {
        return markFallback(await substitute.judge(request), error);
      }
    },
  };
}

function markFallback(judgement: Judgement, error: unknown): Judgement {
  return {
    ...judgement,
    warnings: [...failureWarnings(error), ...(judgement.warnings ?? [])],
    facts: { ...judgement.facts, ...failureFacts(error) },
    usedFallback: true,
  };
}

function failureWarnings(error: unknown): readonly string[] {
  if (!(error instanceof EngineError)) return ['backend_error'];
  const { warnings } = error.data;
  return Array.isArray(warnings) ? warnings.filter((code) => typeof code === 'string') : [error.code];
}

function failureFacts(error: unknown): NonNullable<Judgement['facts']> {
  const facts: unknown = error instanceof EngineError ? error.data['facts'] : undefined;
  return typeof facts === 'object' && facts !== null ? (facts as NonNullable<Judgement['facts']>) : {};
}

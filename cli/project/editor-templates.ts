import { posix } from "node:path/posix";
import { findTemplate } from "../../generator/4-emit/templates/edited-set.js";
import type { OwnSets } from "../../generator/4-emit/templates/own-sets.js";
import {
  isOwnTemplate,
  nameRulesFile,
  templateExtension,
} from "../../generator/4-emit/templates/template-set.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { completeTemplate } from "../../tools/editor/service/templates/complete-template.js";
import { findPartial } from "../../tools/editor/service/templates/find-partial.js";
import { hoverTemplate } from "../../tools/editor/service/templates/hover-template.js";
import type { EditedTemplate } from "../../tools/editor/service/templates/list-members.js";
import { LineIndex } from "../../generator/source/line-index.js";
import type { ProjectTemplates } from "../../tools/editor/lsp/editor-system.js";
import { isTemplateFolder } from "../config/config.js";
import type { System } from "../system/system.js";
import type { Project } from "./project.js";
import {
  createRecordingReader,
  type RecordingReader,
} from "./recording-reader.js";
import { checkProjectTemplates, readEditedSets } from "./template-sets.js";

/**
 * Opens the templates of a project for an editor. Import this module on demand,
 * because it loads Handlebars.
 */
export function openTemplates(
  project: Project,
  ownSets: OwnSets,
  system: System,
): ProjectTemplates {
  const { config } = project;
  const listed = config.emitterModules.filter(isTemplateFolder);
  const roots = [...listed, ...(config.templates ? [config.templates] : [])];
  const folders = roots.map(({ path }) => `${posix.normalize(path)}/`);
  const createReader = (): RecordingReader =>
    createRecordingReader(project, system);
  const find = (path: string): EditedTemplate | null => {
    for (const set of readEditedSets(config, createReader(), ownSets)) {
      const [name, source] = findTemplate(set, path) ?? [];
      if (name === undefined || source === undefined) continue;
      return { set, name, text: source.text };
    }
    return null;
  };
  return {
    includes: (path) =>
      (path.endsWith(templateExtension) ||
        posix.basename(path) === nameRulesFile) &&
      folders.some((folder) => path.startsWith(folder)),
    diagnose: () => {
      const found = checkProjectTemplates(config, createReader(), ownSets);
      return found.map((each) => moveOwn(each, project));
    },
    complete: (path, offset) => {
      const template = find(path);
      return template === null ? [] : completeTemplate(template, offset);
    },
    hover: (path, offset) => {
      const template = find(path);
      return template && hoverTemplate(template, offset);
    },
    definition: (path, offset) => {
      const template = find(path);
      const target = template && findPartial(template, offset);
      return target === null || isOwnTemplate(target.path) ? [] : [target];
    },
  };
}

/** Lists the folders that contain the templates of a project. */
export function foldersOfTemplates(
  { config, ...project }: Project,
  ownSets: OwnSets,
  system: System,
): readonly string[] {
  const reader = createRecordingReader({ ...project, config }, system);
  readEditedSets(config, reader, ownSets);
  return [...reader.reads.keys()].filter((path) => path.endsWith("/"));
}

/**
 * Moves a diagnostic in ridlkit's own templates, which are no files of the
 * project: to the call that is the reason, or else to the setting that replaces
 * some of them.
 */
function moveOwn(
  diagnostic: Diagnostic,
  { config: { templates } }: Project,
): Diagnostic {
  const { location, notes = [], related = [], ...rest } = diagnostic;
  if (!location || !templates || !isOwnTemplate(location.source.path)) {
    return diagnostic;
  }
  const { source, span } = location;
  const { column, line } = new LineIndex(source.text).positionOf(span.start);
  const call = related.find(
    (each) => !isOwnTemplate(each.location.source.path),
  );
  return {
    ...rest,
    location: call?.location ?? templates.location,
    notes: [...notes, `in ${source.path}:${line}:${column}`],
  };
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PYTHON_PYDANTIC_PRESET, PythonFileGenerator } from "@asyncapi/modelina";

/** Modelina writes invalid Python for a constant that no union is discriminated by. */
const CONSTANTS = {
  class: {
    property({ property, content, renderer }) {
      const { originalInput, required } = { ...property, ...property.property };
      if (originalInput.const === undefined || content.includes("Literal[")) return content;
      renderer.dependencyManager.addDependency("from typing import Literal");
      const type = `Literal[${originalInput.const === true ? "True" : JSON.stringify(originalInput.const)}]`;
      return `${property.propertyName}: ${required ? type : `Optional[${type}] = None`}`;
    },
  },
};

const [input, folder] = process.argv.slice(2);
const generator = new PythonFileGenerator({ presets: [PYTHON_PYDANTIC_PRESET, CONSTANTS] });
await generator.generateToFiles(JSON.parse(readFileSync(input, "utf8")), folder, { packageName: "models" });
writeFileSync(join(folder, "__init__.py"), "");

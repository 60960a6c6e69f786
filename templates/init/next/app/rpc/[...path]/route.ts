import { greeter } from "../../greeter";

// A contract with @get or @http methods also needs their verbs, such as GET.
export const POST = (request: Request) => greeter.fetch(request);

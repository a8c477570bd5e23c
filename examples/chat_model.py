"""A reasoner with a LangChain chat model, here a scripted one, reads a task."""

from langchain_core.language_models import FakeListChatModel
from macla.adapters.embeddings import load_embeddings
from macla.adapters.reasoners.chat import ChatClient
from macla.adapters.reasoners.llm import LLMReasoner
from macla.adapters.reasoners.symbolic import SymbolicReasoner
from macla.graph.budget import Budget, Meter
from macla.graph.reasoning import KnownGoal
from macla.procedures.words.lexicon import Lexicon
from macla.procedures.words.similarity import TextSimilarity

model = FakeListChatModel(responses=['{"goal": 1, "fillers": {"a": "lid"}}'])
lexicon = Lexicon(numbered=True, kinds=["lid"], frames=["pry {0}"])  # or a library's own
symbolic = SymbolicReasoner(TextSimilarity(load_embeddings("static")))
reasoner = LLMReasoner(ChatClient(model, "fake"), symbolic, lexicon)  # for MaclaContext

goal = KnownGoal("meta", "pry-some@1", "pry some {a}", ("a",))
print(reasoner.parse_task("pry a lid", "You see a lid 1.", [goal], Meter(Budget())))

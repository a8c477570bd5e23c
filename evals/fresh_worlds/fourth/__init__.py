"""Worlds of what people would show an agent, by one who had not seen the learner; to look at."""

from .agendas import CommonSlot
from .consoles import DnsRecord, PipelineJobs, SnapshotRestore
from .foreign_desks import Mahnlauf, TuihuoDesk
from .front_desks import PermitWizard, VisitorBadge
from .records import CustomerPages, EtagPatch
from .stores import ReorderRound, SqlGoodsIn

WORLDS = (
    *(VisitorBadge, DnsRecord, SnapshotRestore, CustomerPages),
    *(EtagPatch, PipelineJobs, SqlGoodsIn, Mahnlauf),
    *(TuihuoDesk, PermitWizard, CommonSlot, ReorderRound),
)
